/** Held, or done. */
export const HELD = 0

/** Something diverged or needs attention. */
export const DIVERGED = 1

/** Could not run: a wrong option, a missing trace, a refusal. */
export const COULD_NOT_RUN = 2
