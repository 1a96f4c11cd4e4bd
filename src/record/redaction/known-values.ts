import type { Found } from './rule.ts'

/** Shorter ones come up in words that have nothing to do with them. */
const shortest = 4

/** Values that are secret because of the field they stood in: they are secret wherever they come up again. */
export class KnownValues {
  readonly #values = new Set<string>()

  get isEmpty(): boolean {
    return this.#values.size === 0
  }

  add(value: string): void {
    if (value.length >= shortest) this.#values.add(value)
  }

  *findIn(text: string): Generator<Found> {
    for (const value of this.#values) {
      for (const written of new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])) {
        for (let start = text.indexOf(written); start !== -1; start = text.indexOf(written, start + 1)) {
          const end = start + written.length
          if (!isWithinWord(text, start, end)) yield { start, end, shape: 'word', identity: plain(value) }
        }
      }
    }
  }
}

function isWithinWord(text: string, start: number, end: number): boolean {
  const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\d]/u.test(character)
  const isEscape = text[start - 2] === '\\'
  return (isWord(text[start - 1]) && isWord(text[start]) && !isEscape) || (isWord(text[end]) && isWord(text[end - 1]))
}

function plain(value: string): string {
  return value.replaceAll(/\\[nr]|%0[AD]|\s/g, '').replaceAll('\\', '')
}
