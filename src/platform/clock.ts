/** Returns milliseconds since 1970, UTC. Passed as a parameter, so that tests can set the time. */
export type Clock = () => number
