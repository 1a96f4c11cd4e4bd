import type { Counters, Sighting } from './sighting.ts'

/** To the thread that looks. */
export type ToLooker =
  | { readonly kind: 'watch' | 'leave'; readonly for: 'replay' | 'record' }
  /** Looks at once, and answers with the question's number. */
  | { readonly kind: 'ask'; readonly question: number }
  /** These are explained: they are not told again. */
  | { readonly kind: 'knows'; readonly ids: readonly string[] }

/** What a look has seen. */
export interface Seen {
  /** @param lasts The look before saw it too. */
  readonly sightings: readonly (Sighting & { readonly lasts: boolean })[]
  readonly counters: Counters
  readonly question?: number
}
