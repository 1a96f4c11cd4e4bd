import { isJsonObject, type Json } from '../json.ts'

/** An array that continues an array of an earlier row at the same place. */
export interface Continuation {
  /** The number of the earlier row: its step, or the ordinal of its checkpoint. */
  readonly after: number
  /** How many of the earlier items are kept; absent if all are. */
  readonly keep?: number
  /** Where the new items start. */
  readonly from: number
}

/** The printed items of an array, and the array that it continues. */
export interface Followed {
  readonly printed: readonly string[]
  readonly continuation?: Continuation
}

/** Returns whether an array is tracked: at least one of its items is an object. */
export function isConversation(items: readonly Json[]): boolean {
  return items.some((item) => isJsonObject(item))
}

/**
 * The arrays of objects that agents send again and again while they grow, above all conversations. Keeps what is needed to continue the latest arrays
 * of each place: memory grows with the latest arrays only.
 */
export class Conversations {
  readonly #places = new Map<string, Tip[]>()

  /**
   * Finds the earlier array at `place` that shares the most leading items with this one, and remembers this one as the array of row `number`. Items
   * are compared as printed by `print`; an item that is the same object as before at its index is taken to be unchanged.
   */
  follow(place: string, number: number, items: readonly Json[], print: (item: Json) => string): Followed {
    const tips = tipsOf(this.#places, place)
    const printed = printItems(tips, items, print)
    const { tip, shared } = longest(tips, printed)
    const continuation = tip === undefined || !isWorthwhile(printed, shared) ? undefined : continueFrom(tip, shared)
    remember(tips, tip, shared, { number, printed, items })
    return continuation === undefined ? { printed } : { printed, continuation }
  }

  /** Forgets every array, so that nothing seen so far is continued. */
  forget(): void {
    this.#places.clear()
  }
}

interface Tip {
  number: number
  readonly printed: string[]
  /** The array itself: rows of a trace that was read share their items. Held weakly, because a recorder must not keep every body alive. */
  items: WeakRef<readonly Json[]>
}

/** How many conversations may take turns at one place (agents that hand over to one another). */
const MAX_TIPS = 16
/** How many places are watched: tool results keyed by id create new places forever. */
const MAX_PLACES = 512
/** The cost of a continuation: if less than this is kept, writing the array again is cheaper. */
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

function printItems(tips: readonly Tip[], items: readonly Json[], print: (item: Json) => string): string[] {
  const first = items[0]
  const same = typeof first === 'object' && first !== null ? tips.find((tip) => tip.items.deref()?.[0] === first) : undefined
  const known = same?.items.deref()
  return items.map((item, index) => (known !== undefined && item === known[index] ? (same?.printed[index] ?? print(item)) : print(item)))
}

function longest(tips: readonly Tip[], printed: readonly string[]): { tip: Tip | undefined; shared: number } {
  let tip: Tip | undefined
  let shared = 0
  for (const candidate of tips) {
    const length = sharedLength(candidate.printed, printed)
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

function isWorthwhile(printed: readonly string[], shared: number): boolean {
  let size = 0
  for (let index = 0; index < shared && size <= CONTINUATION_COST; index++) size += printed[index]?.length ?? 0
  return size > CONTINUATION_COST
}

function continueFrom(tip: Tip, shared: number): Continuation {
  return shared === tip.printed.length ? { after: tip.number, from: shared } : { after: tip.number, keep: shared, from: shared }
}

interface Latest {
  readonly number: number
  readonly printed: readonly string[]
  readonly items: readonly Json[]
}

function remember(tips: Tip[], tip: Tip | undefined, shared: number, { number, printed, items }: Latest): void {
  if (tip === undefined || shared < tip.printed.length) {
    tips.unshift({ number, printed: [...printed], items: new WeakRef(items) })
    if (tips.length > MAX_TIPS) tips.pop()
    return
  }
  // The array grew, so its tip grows by the new items only.
  for (let index = shared; index < printed.length; index++) tip.printed.push(printed[index] ?? '')
  tip.number = number
  tip.items = new WeakRef(items)
  tips.splice(tips.indexOf(tip), 1)
  tips.unshift(tip)
}
