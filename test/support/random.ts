/** Draws that depend on nothing but a seed. */
export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** A whole number, both ends included. */
  whole(from: number, to: number): number
  /** The same items in another order. */
  shuffle<Item>(items: readonly Item[]): Item[]
}

/** Draws by a seed, so that a failing test can be repeated. FNV-1a of the seed, then mulberry32. */
export function createRandom(seed: string | number): Random {
  let state = hash(String(seed))
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  const shuffle = <Item>(items: readonly Item[]): Item[] => {
    const drawn = items.map((item) => ({ item, place: next() }))
    return drawn.toSorted((a, b) => a.place - b.place).map(({ item }) => item)
  }
  return { next, whole, shuffle }
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value
}
