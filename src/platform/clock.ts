/** Milliseconds since 1970, UTC. Passed to whatever depends on time, so that a test can move it. */
export type Clock = () => number
