import type { DrawnKind, DrawnValue } from '../drawn-value.ts'
import { tellPlace } from '../run-place.ts'

const kindWords: Readonly<Record<DrawnKind, string>> = { time: 'a time', number: 'a random number', id: 'an id', bytes: 'random bytes' }

/** How many values a note names. */
const shown = 5

/** A note that lists the drawn values that were matched only by read order, each once. Empty if there are none. */
export function drawnNotes(drawn: readonly DrawnValue[]): string[] {
  const values = [...Map.groupBy(drawn, ({ expected, received }) => `${expected} ${received}`).values()]
  if (values.length === 0) return []
  const told = values.slice(0, shown).map(tellValue)
  const more = values.length > shown ? [`${values.length - shown} more`] : []
  const what =
    values.length === 1
      ? '1 clock or random value differs from the recorded one and was matched'
      : `${values.length} clock or random values differ from the recorded ones and were matched`
  return [`Note: ${what} by read order: ${[...told, ...more].join('; ')}.`]
}

function tellValue(places: readonly DrawnValue[]): string {
  const [first] = places
  if (first === undefined) return ''
  const more = places.length - 1
  const others = more === 0 ? '' : ` and ${more} more ${more === 1 ? 'place' : 'places'}`
  return `${kindWords[first.kind]} at ${first.path} of ${tellPlace(first.place)}${others}`
}
