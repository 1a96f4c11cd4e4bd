import { knownOrMade } from '../trace/remember.ts'
import { plain } from './plain.ts'
import type { Found } from './rule.ts'

/** Shorter values occur in unrelated words. */
const shortest = 4

/** A value of this length is no part of another word by chance: `/bot<token>/`. */
const longestWord = 16

/** Values that are secret because of the field that contained them: they are secret wherever they occur again. */
export class KnownValues {
  readonly #values = new Set<string>()
  /** The identity of each value by its written forms. */
  readonly #forms = new Map<string, string>()
  /** The lengths of the forms that begin with the same four characters. */
  readonly #lengths = new Map<string, Set<number>>()
  /** Marks the hashes of these four characters, so that one pass over a text finds any number of values. */
  #starts: Uint8Array | undefined

  get size(): number {
    return this.#values.size
  }

  /** Returns whether the value is new. */
  add(value: string): boolean {
    if (value.length < shortest || this.#values.has(value)) return false
    this.#values.add(value)
    this.#starts ??= new Uint8Array(hashes)
    const identity = plain(value)
    for (const form of formsOf(value)) {
      knownOrMade(this.#forms, form, () => identity)
      knownOrMade(this.#lengths, form.slice(0, shortest), () => new Set()).add(form.length)
      this.#starts[hashOfStart(form)] = 1
    }
    return true
  }

  findIn(text: string): Found[] {
    const found: Found[] = []
    if (this.#starts === undefined) return found
    let hash = 0
    for (let index = 0; index < text.length; index += 1) {
      hash = hashWith(hash, text.charCodeAt(index))
      if (this.#starts[hash] === 1 && index >= shortest - 1) found.push(...this.#findAt(text, index - shortest + 1))
    }
    return found
  }

  *#findAt(text: string, start: number): Generator<Found> {
    for (const length of this.#lengths.get(text.slice(start, start + shortest)) ?? []) {
      const end = start + length
      const identity = end > text.length ? undefined : this.#forms.get(text.slice(start, end))
      if (identity !== undefined && (length >= longestWord || !isWithinWord(text, start, end)))
        yield { start, end, shape: 'word', identity }
    }
  }
}

const hashes = 65_536

function hashOfStart(text: string): number {
  let hash = 0
  for (let index = 0; index < shortest; index += 1) hash = hashWith(hash, text.charCodeAt(index))
  return hash
}

/** Returns the hash of the last four characters: earlier ones are shifted out. */
function hashWith(hash: number, character: number): number {
  return ((hash << 4) ^ character) % hashes
}

/** Returns the plain form, and the forms in JSON (also with escapes for slashes and for letters beyond ASCII), in a URL and in a form. */
function formsOf(value: string): Set<string> {
  const inUrl = encodeURIComponent(value.toWellFormed())
  const inJson = JSON.stringify(value).slice(1, -1)
  const inAscii = inJson.replaceAll(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const forms = [inJson, inAscii, inJson.replaceAll('/', String.raw`\/`), inAscii.replaceAll('/', String.raw`\/`)]
  return new Set([value, ...forms, inUrl, inUrl.replaceAll('%20', '+')])
}

function isWithinWord(text: string, start: number, end: number): boolean {
  const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\d]/u.test(character)
  const isEscape = text[start - 2] === '\\'
  return (isWord(text[start - 1]) && isWord(text[start]) && !isEscape) || (isWord(text[end]) && isWord(text[end - 1]))
}
