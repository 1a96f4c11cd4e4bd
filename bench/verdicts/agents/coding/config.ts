export const MODEL = 'gpt-4o'

/** Turns of the model after which the agent gives up. */
export const MAX_TURNS = 30

/** The most messages that the model gets. */
export const HISTORY = 80

/** Longer tool results are cut. */
export const LONGEST = 4000

/** Features that are switched on. */
export const FLAGS: Readonly<Record<'commit' | 'lint' | 'review', boolean>> = { commit: true, lint: false, review: false }
