/** The model that answers customers. */
export const MODEL = 'gpt-4o'

export const TEMPERATURE = 0

export const MAX_TOKENS = 800

/** Turns of the model after which the desk gives up. */
export const MAX_TURNS = 30

/** How often the desk asks for a slot before it continues without one. */
export const SLOT_TRIES = 3

/** How often it rings a bell that nobody may hear. */
export const BELL_TRIES = 2
