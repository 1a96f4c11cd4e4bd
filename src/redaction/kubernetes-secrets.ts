import type { Found } from './rule.ts'
import { gap, quote } from './written-values.ts'

const kind = new RegExp(`kind(?:${quote})?:${gap}(?:${quote})?Secret(?![A-Za-z])`, 'g')
const heading = new RegExp(`(?:data|stringData|binaryData)(?:${quote})?:${gap}(?<brace>\\{)?`, 'g')
/** A line of YAML below the heading, or a field of JSON. */
const line =
  /(?:[ \t]{0,40}(?:\r?\n|(?:\\+r)?\\+n))?(?<indent>[ \t]{0,40})(?<name>[\w.-]{1,253}):[ \t]{1,8}(?:\\*["'])?(?<secret>[^\s"'\\]{4,8000})\\*["']?/y
const property = new RegExp(`${gap},?${gap}\\\\*"[\\w.-]{1,253}\\\\*"${gap}:${gap}\\\\*"(?<secret>[^"\\\\]{4,8000})\\\\*"`, 'y')

/** Data of a Secret is not farther away from its kind. */
const farthest = 16_000

/** Finds the data of Secrets of Kubernetes, in YAML and in JSON. */
export function* findKubernetesSecrets(text: string): Generator<Found> {
  let done = 0
  for (const { index } of text.matchAll(kind)) {
    const from = Math.max(done, index - farthest)
    const around = text.slice(from, index + farthest)
    // In YAML, documents are separated by a line.
    const before = around.lastIndexOf('\n---', index - from)
    const after = around.indexOf('\n---', Math.max(0, index - from))
    const start = from + Math.max(0, before)
    const end = after === -1 ? from + around.length : from + after
    for (const { index: at, groups, 0: found } of text.slice(start, end).matchAll(heading)) {
      yield* findValues(text, start + at + found.length, groups?.['brace'] === undefined ? line : property)
    }
    done = Math.max(done, end)
  }
}

function* findValues(text: string, start: number, pattern: RegExp): Generator<Found> {
  pattern.lastIndex = start
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const { secret = '', indent } = found.groups ?? {}
    // A line that begins further left is not part of the data. The first one follows the white space of the heading.
    if (indent === '' && found.index !== start) return
    const from = found.index + found[0].lastIndexOf(secret)
    yield { start: from, end: from + secret.length, shape: 'word' }
  }
}
