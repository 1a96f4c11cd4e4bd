export const MODEL = 'gpt-4.1-mini'

/** Steps of the model after which a search is over. */
export const MAX_STEPS = 8

export const INSTRUCTIONS = 'You plan a trip. Look for trains and rooms before you book, and book once.'

/** The limit for planning a whole trip. */
export const LIMIT_MS = 60_000
