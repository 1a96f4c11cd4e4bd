import { diffArrays } from 'diff'
import stringify from 'fast-json-stable-stringify'
import { isFields, isSameValue, ownField } from './same-value.ts'
import { type KnownStandIns, type StandInSides, withoutStandIns } from './stand-ins.ts'

/** A pair of matching items of two arrays, by index. One index is absent where only the other array has the item. */
export interface ItemPair {
  readonly expected?: number
  readonly received?: number
}

/** Two arrays that are more edits apart have too little in common to be aligned. */
const maxEdits = 400

/** How many offsets to try when aligning a run of changed items with a longer one. */
const maxOffsets = 50

/** Pairs the items of two arrays, in order, so that an added or removed item is one difference instead of one at every later index. */
export function alignItems(expected: readonly unknown[], received: readonly unknown[], sides: StandInSides): ItemPair[] {
  const shorter = Math.min(expected.length, received.length)
  let start = 0
  while (start < shorter && isSameValue(expected[start], received[start], sides)) start += 1
  let end = 0
  while (end < shorter - start && isSameValue(expected.at(-1 - end), received.at(-1 - end), sides)) end += 1
  const pairs: ItemPair[] = range(start).map((index) => ({ expected: index, received: index }))
  pairs.push(...alignMiddle(expected, received, start, end, sides))
  for (let left = end; left > 0; left -= 1) pairs.push({ expected: expected.length - left, received: received.length - left })
  return pairs
}

function alignMiddle(
  expected: readonly unknown[],
  received: readonly unknown[],
  start: number,
  end: number,
  sides: StandInSides,
): ItemPair[] {
  const { recorded, live } = sides
  const before = expected.slice(start, expected.length - end)
  const after = received.slice(start, received.length - end)
  const changes =
    before.length === 0 || after.length === 0
      ? undefined
      : diffArrays(signaturesOf(before, recorded), signaturesOf(after, live), { maxEditLength: maxEdits })
  if (changes === undefined) return pairRuns(expected, received, { start, length: before.length }, { start, length: after.length }, sides)
  const pairs: ItemPair[] = []
  let [removed, added] = [
    { start, length: 0 },
    { start, length: 0 },
  ]
  const flush = (): void => {
    pairs.push(...pairRuns(expected, received, removed, added, sides))
    removed = { start: removed.start + removed.length, length: 0 }
    added = { start: added.start + added.length, length: 0 }
  }
  for (const change of changes) {
    if (change.removed) removed.length += change.count
    else if (change.added) added.length += change.count
    else {
      flush()
      pairs.push(...range(change.count).map((index) => ({ expected: removed.start + index, received: added.start + index })))
      removed.start += change.count
      added.start += change.count
    }
  }
  flush()
  return pairs
}

interface Run {
  start: number
  length: number
}

/** Aligns the shorter of two runs of items with the longer one where they are most similar. The remaining items were added or removed. */
function pairRuns(expected: readonly unknown[], received: readonly unknown[], removed: Run, added: Run, sides: StandInSides): ItemPair[] {
  const [short, long] = removed.length <= added.length ? [removed, added] : [added, removed]
  const [shortItems, longItems] = short === removed ? [expected, received] : [received, expected]
  const shortSides = short === removed ? sides : { recorded: sides.live, live: sides.recorded }
  const likeness = (offset: number): number =>
    range(short.length).reduce(
      (sum, index) => sum + likenessOf(shortItems[short.start + index], longItems[long.start + offset + index], shortSides),
      0,
    )
  const offsets = range(short.length === 0 ? 1 : Math.min(maxOffsets, long.length - short.length + 1))
  const scores = offsets.map(likeness)
  const best = scores.indexOf(Math.max(...scores))
  return range(long.length).map((index): ItemPair => {
    const inShort = index - best
    const [one, other] = [long.start + index, inShort >= 0 && inShort < short.length ? short.start + inShort : undefined]
    if (short === removed) return { received: one, ...(other === undefined ? {} : { expected: other }) }
    return { expected: one, ...(other === undefined ? {} : { received: other }) }
  })
}

/** How similar two items are, by the number of equal fields. */
function likenessOf(one: unknown, other: unknown, sides: StandInSides): number {
  if (!isFields(one) || !isFields(other)) return typeof one === typeof other ? 1 : 0
  return Object.keys(one).reduce((sum, name) => {
    const [field, its] = [one[name], ownField(other, name)]
    if (isSameValue(field, its, sides)) return sum + 2
    return isFields(field) && isFields(its) ? sum + likenessOf(field, its, sides) : sum
  }, 0)
}

function signaturesOf(items: readonly unknown[], standIns: KnownStandIns): string[] {
  return items.map((item) => withoutStandIns(stringify(item) ?? '', standIns))
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}
