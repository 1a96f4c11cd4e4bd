export const MODEL = 'gpt-4o'

/** Turns of the model after which the agent gives up. */
export const MAX_TURNS = 30

/** How many messages the model is told of, at most. */
export const HISTORY = 80

/** Longer results of tools are cut. */
export const LONGEST = 4000

/** What is switched on. */
export const FLAGS: Readonly<Record<'commit' | 'lint' | 'review', boolean>> = { commit: true, lint: false, review: false }
