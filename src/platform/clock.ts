/** Milliseconds since 1970, UTC. Code that depends on time receives it as a parameter, so that a test can move it. */
export type Clock = () => number
