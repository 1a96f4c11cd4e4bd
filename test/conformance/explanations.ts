import type { Explanation } from './page.ts'

/** The cells that are not green. One that turns green is to be taken out. */
export const explanations: readonly Explanation[] = []
