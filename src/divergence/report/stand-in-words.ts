import type { StandInKind } from '../../redaction/stand-in.ts'
import { tellPlace } from '../run-place.ts'
import type { TrustedStandIn } from '../stand-in-places.ts'

/** The kinds of redacted values, in words. */
export const kindWords: Readonly<Record<StandInKind, string>> = {
  email: 'an e-mail address',
  card: 'a card number',
  phone: 'a phone number',
  secret: 'a secret',
}

/** How many values a note names. */
const shown = 5

/** A note that lists the values that were compared only as stand-ins, each once. Empty if there are none. */
export function standInNotes(standIns: readonly TrustedStandIn[]): string[] {
  const values = [...Map.groupBy(standIns, ({ expected, received }) => `${expected} ${received}`).values()]
  if (values.length === 0) return []
  const told = values.slice(0, shown).map((places) => tellValue(places))
  const more = values.length > shown ? [`${values.length - shown} more`] : []
  const what = values.length === 1 ? '1 value was compared only as a stand-in' : `${values.length} values were compared only as stand-ins`
  return [`Note: ${what}, so another value would have passed: ${[...told, ...more].join('; ')}.`]
}

function tellValue(places: readonly TrustedStandIn[]): string {
  const [first] = places
  if (first === undefined) return ''
  const more = places.length - 1
  const others = more === 0 ? '' : ` and ${more} more ${more === 1 ? 'place' : 'places'}`
  return `${kindWords[first.kind]} at ${first.path} of ${tellPlace(first.place)}${others}`
}
