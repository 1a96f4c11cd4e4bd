import { isJsonObject, type Json } from '../json.ts'

/** An array that goes on from one that an earlier row has at the same place. */
export interface Continuation {
  /** The number of the row that has it: a step, or which checkpoint. */
  readonly after: number
  /** How many of its items are kept; absent when all are. */
  readonly keep?: number
  /** Where the new items start. */
  readonly from: number
}

/** What agents send again and again: arrays of objects that grow, above all conversations. */
export interface Conversations {
  /**
   * Finds the earlier array at `place` that shares the most leading items with this one, and remembers this one as the array of row `number`.
   * `items` are the array's items as JSON.
   */
  follow(place: string, number: number, items: readonly string[]): Continuation | undefined
}

/** Whether an array is one to look for: at least one of its items is an object. */
export function isConversation(items: readonly Json[]): boolean {
  return items.some((item) => isJsonObject(item))
}

/** Keeps what is needed to continue the latest arrays of each place: memory is that of the latest arrays, not of all. */
export function createConversations(): Conversations {
  const places = new Map<string, Tip[]>()
  return {
    follow(place, number, items) {
      const tips = tipsOf(places, place)
      const { tip, shared } = longest(tips, items)
      const continuation = tip === undefined || !isWorthwhile(items, shared) ? undefined : continueFrom(tip, shared)
      remember(tips, tip, shared, { number, items })
      return continuation
    },
  }
}

interface Tip {
  number: number
  readonly items: string[]
}

/** How many conversations may take turns at one place (agents that hand over to one another). */
const MAX_TIPS = 16
/** How many places are watched: tool results with ids for keys make new ones for ever. */
const MAX_PLACES = 512
/** What a continuation costs: keeping less than this is dearer than writing it again. */
const CONTINUATION_COST = 48

function tipsOf(places: Map<string, Tip[]>, place: string): Tip[] {
  const known = places.get(place)
  if (known !== undefined) return known
  const oldest = places.size >= MAX_PLACES ? places.keys().next() : undefined
  if (oldest?.done === false) places.delete(oldest.value)
  const tips: Tip[] = []
  places.set(place, tips)
  return tips
}

function longest(tips: readonly Tip[], items: readonly string[]): { tip: Tip | undefined; shared: number } {
  let tip: Tip | undefined
  let shared = 0
  for (const candidate of tips) {
    const length = sharedLength(candidate.items, items)
    if (length > shared) {
      tip = candidate
      shared = length
    }
  }
  return { tip, shared }
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  const limit = Math.min(a.length, b.length)
  let length = 0
  while (length < limit && a[length] === b[length]) length++
  return length
}

function isWorthwhile(items: readonly string[], shared: number): boolean {
  let size = 0
  for (let index = 0; index < shared && size <= CONTINUATION_COST; index++) size += items[index]?.length ?? 0
  return size > CONTINUATION_COST
}

function continueFrom(tip: Tip, shared: number): Continuation {
  return shared === tip.items.length ? { after: tip.number, from: shared } : { after: tip.number, keep: shared, from: shared }
}

function remember(tips: Tip[], tip: Tip | undefined, shared: number, latest: { number: number; items: readonly string[] }): void {
  if (tip !== undefined && shared === tip.items.length) {
    // The array grew: so does its tip, by its new items only.
    for (let index = shared; index < latest.items.length; index++) tip.items.push(latest.items[index] ?? '')
    tip.number = latest.number
    tips.splice(tips.indexOf(tip), 1)
    tips.unshift(tip)
    return
  }
  tips.unshift({ number: latest.number, items: [...latest.items] })
  if (tips.length > MAX_TIPS) tips.pop()
}
