export const MODEL = 'gpt-4o-mini'

/** The most concurrent searches. */
export const AT_ONCE = 3

/** Pages whose total length exceeds this are condensed before they are used. */
export const LONGEST = 200

export const PAGE_LIMIT_MS = 60_000

export const SEARCH_LIMIT_MS = 30_000

/** How far back searches look. */
export const WINDOW_MS: number = 7 * 24 * 60 * 60 * 1000
