import { plain } from './plain.ts'
import type { Found } from './rule.ts'

/** Shorter values occur in unrelated words. */
const shortest = 4

/** Values that are secret because of the field that contained them: they are secret wherever they occur again. */
export class KnownValues {
  readonly #values = new Set<string>()

  get isEmpty(): boolean {
    return this.#values.size === 0
  }

  /** Returns whether the value is new. */
  add(value: string): boolean {
    if (value.length < shortest || this.#values.has(value)) return false
    this.#values.add(value)
    return true
  }

  *findIn(text: string): Generator<Found> {
    for (const value of this.#values) {
      for (const written of formsOf(value)) {
        for (let start = text.indexOf(written); start !== -1; start = text.indexOf(written, start + 1)) {
          const end = start + written.length
          if (!isWithinWord(text, start, end)) yield { start, end, shape: 'word', identity: plain(value) }
        }
      }
    }
  }
}

/** Returns the plain form, and the forms in JSON, in a URL and in a form. */
function formsOf(value: string): Set<string> {
  const inUrl = encodeURIComponent(value)
  return new Set([value, JSON.stringify(value).slice(1, -1), inUrl, inUrl.replaceAll('%20', '+')])
}

function isWithinWord(text: string, start: number, end: number): boolean {
  const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\d]/u.test(character)
  const isEscape = text[start - 2] === '\\'
  return (isWord(text[start - 1]) && isWord(text[start]) && !isEscape) || (isWord(text[end]) && isWord(text[end - 1]))
}
