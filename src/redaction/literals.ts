import { knownOrMade } from '../trace/remember.ts'

/** How many characters of each literal are searched for. The more there are, the more of a text is skipped. */
const searched = 4

const hashes = 4096

/** A literal, and where in it the characters are that are searched for. */
interface Searched<Owner> {
  readonly literal: string
  readonly offset: number
  readonly owner: Owner
}

/** Finds which of many literals a text contains, in one pass that skips most of the text (Wu and Manber, 1994). */
export class Literals<Owner> {
  /** How many characters may be skipped behind two characters. */
  readonly #shifts = new Uint8Array(hashes).fill(searched - 1)
  /** By the last two of the characters that are searched for. */
  readonly #byEnd = new Map<number, Searched<Owner>[]>()

  /** @param literals Each has at least four characters. */
  constructor(literals: Iterable<readonly [literal: string, owner: Owner]>) {
    for (const [literal, owner] of literals) {
      const offset = rarestPart(literal)
      for (let end = 1; end < searched; end += 1) {
        const hash = hashAt(literal, offset + end)
        this.#shifts[hash] = Math.min(this.#shifts[hash] ?? 0, searched - 1 - end)
      }
      const hash = hashAt(literal, offset + searched - 1)
      knownOrMade(this.#byEnd, hash, () => []).push({ literal, offset, owner })
    }
  }

  /** Returns the owners of the literals in a text; undefined if there are none. */
  find(text: string): ReadonlySet<Owner> | undefined {
    const shifts = this.#shifts
    let owners: Set<Owner> | undefined
    for (let end = searched - 1; end < text.length;) {
      const hash = hashAt(text, end)
      const shift = shifts[hash] ?? 0
      end += shift
      if (shift > 0) continue
      const ending = this.#byEnd.get(hash)
      if (ending !== undefined) {
        for (const { literal, offset, owner } of ending)
          if (text.startsWith(literal, end - searched + 1 - offset)) (owners ??= new Set()).add(owner)
      }
      end += 1
    }
    return owners
  }
}

/** The letters that texts have most often. */
const common = ' acdehilnorstu'

/** Returns where the four characters of a literal start that texts have least often. */
function rarestPart(literal: string): number {
  let [rarest, fewest] = [0, Infinity]
  for (let start = 0; start + searched <= literal.length; start += 1) {
    let count = 0
    for (let index = start; index < start + searched; index += 1) if (common.includes(literal[index] ?? '')) count += 1
    // Of equals the last one: more of the text before it is skipped.
    if (count <= fewest) [rarest, fewest] = [start, count]
  }
  return rarest
}

function hashAt(text: string, end: number): number {
  return ((text.charCodeAt(end - 1) << 5) ^ text.charCodeAt(end)) & (hashes - 1)
}
