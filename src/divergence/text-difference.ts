import { diffWordsWithSpace } from 'diff'

/** A place where two texts have different words, as spans in `expected` and in `received`. */
export interface TextChange {
  readonly expected: Span
  readonly received: Span
}

/** Part of a text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** If more words have changed, everything between the first and the last difference is shown as changed. */
const maxEdits = 300

/** A middle longer than this is not compared word by word. */
const maxCompared = 200_000

/** Changes that are at most this far apart are merged. */
const mergedWithin = 16

/** Changes are widened to whole words, but by at most this much, because a text without spaces is not one word. */
const maxWord = 40

/** Where two texts differ, word by word, in order. Empty when they are the same. */
export function textChanges(expected: string, received: string): TextChange[] {
  if (expected === received) return []
  const start = wordStart(expected, commonStart(expected, received))
  const end = commonEnd(expected, received, start)
  const [before, after] = [expected.slice(start, expected.length - end), received.slice(start, received.length - end)]
  const whole = { expected: { start, end: start + before.length }, received: { start, end: start + after.length } }
  if (before === '' || after === '' || before.length + after.length > maxCompared) return [whole]
  const parts = diffWordsWithSpace(before, after, { maxEditLength: maxEdits })
  if (parts === undefined) return [whole]
  const changes: { expected: Span; received: Span }[] = []
  let [inExpected, inReceived] = [start, start]
  for (const { added, removed, value } of parts) {
    const change = {
      expected: { start: inExpected, end: inExpected + (added ? 0 : value.length) },
      received: { start: inReceived, end: inReceived + (removed ? 0 : value.length) },
    }
    inExpected = change.expected.end
    inReceived = change.received.end
    if (!added && !removed) continue
    const last = changes.at(-1)
    if (last !== undefined && change.expected.start - last.expected.end < mergedWithin) {
      last.expected = { start: last.expected.start, end: change.expected.end }
      last.received = { start: last.received.start, end: change.received.end }
    } else {
      changes.push(change)
    }
  }
  return changes
}

/** How many characters at the start of two texts are the same. */
export function commonStart(expected: string, received: string): number {
  const shorter = Math.min(expected.length, received.length)
  let start = 0
  while (start < shorter && expected.charCodeAt(start) === received.charCodeAt(start)) start += 1
  return start
}

/** How many characters at the end of two texts are the same, up to the beginning of a word. */
function commonEnd(expected: string, received: string, start: number): number {
  const shorter = Math.min(expected.length, received.length) - start
  let end = 0
  while (end < shorter && expected[expected.length - 1 - end] === received[received.length - 1 - end]) end += 1
  const length = expected.length
  for (let back = 0; back < maxWord && end - back > 0; back += 1) if (/\s/.test(expected[length - end + back] ?? ' ')) return end - back
  return end <= maxWord ? 0 : end
}

/** The start of the word at an index. */
function wordStart(text: string, index: number): number {
  for (let back = 0; back < maxWord && index - back > 0; back += 1) if (/\s/.test(text[index - back - 1] ?? ' ')) return index - back
  return index <= maxWord ? 0 : index
}
