import { expect } from 'vitest'
import { TraceFormatError } from '../../src/trace/errors/trace-format-error.ts'
import { TraceVersionError } from '../../src/trace/errors/trace-version-error.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Row } from '../../src/trace/rows.ts'
import { digest, encodeRows, fullError, fullHeader, goldenHeader, modelCall, toolCall } from '../trace/samples.ts'

/** A trace with every kind of row, reference and value. */
export function sampleRows(): Row[] {
  const event = (text: string): string => `data: {"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`
  const messages = [1, 2, 3, 4].map((index) => ({ role: 'user', content: `message ${index} `.repeat(index * 12) }))
  return [
    fullHeader,
    modelCall(1, { messages: messages.slice(0, 2), tools: [{ name: 'get_order', description: 'finds '.repeat(60) }] }),
    { kind: 'head', step: 1, at: 2, status: 200, headers: [['content-type', 'text/event-stream']] },
    { kind: 'chunk', step: 1, at: 3, text: event('a') + event('b') },
    { kind: 'chunk', step: 1, at: 3, sameTick: true, text: event('c') },
    { kind: 'return', step: 1, at: 4 },
    modelCall(2, { messages, tools: [] }),
    { kind: 'throw', step: 2, at: 5, error: fullError },
    toolCall(3, { input: { at: new Date(0), big: 12n, map: new Map([['a', new Set([1])]]), bytes: Uint8Array.of(1, 2, 3), r: /a/g } }),
    toolCall(4, { owner: 3, input: { $: 't1', text: 'x'.repeat(300) } }),
    { kind: 'return', step: 4, at: 6, output: { $: 't1' } },
    { kind: 'chunk', step: 3, at: 6, bytes: Uint8Array.of(255) },
    { kind: 'return', step: 3, at: 6, output: [undefined, Number.NaN, () => 1], sync: true },
    { kind: 'timer', owner: 0, set: 2, delay: 10, occurrence: 2, at: 7 },
    { kind: 'reads', owner: 3, clock: [1, 2], random: new Uint8Array(8), uuid: ['u'], bytes: [Uint8Array.of(1)] },
    { kind: 'signal', name: 'abort', value: new Error('gone'), at: 8 },
    { kind: 'checkpoint', owner: 0, name: 'found', state: { list: messages }, at: 8 },
    { kind: 'note', what: 'flagged', where: 'here', at: 8 },
    { kind: 'end', output: 'done', at: 9, usage: { inputTokens: 1, outputTokens: 1 } },
  ]
}

/** Expects a golden to be read as an error that is cut after any of so many characters, but for the line break at its end. */
export function expectCutsRefused(every: number): void {
  const text = `${encodeRows(sampleRows().with(0, goldenHeader)).join('\n')}\n`
  for (let end = 1; end < text.length - 1; end += every) {
    expect(readingOf(text.slice(0, end), text.split('\n').length), `cut after ${end} characters`).toBe('format')
  }
  expect(readingOf(text.slice(0, -1), text.split('\n').length)).toBe('trace')
}

/** What reading came to: a whole trace, an error as it should be, or else the error itself. */
export function readingOf(text: string, lines: number): unknown {
  try {
    return /^[0-9a-f]{64}$/.test(decodeTrace(text, 'x.jsonl', digest).hash) ? 'trace' : 'no hash'
  } catch (error) {
    if (TraceVersionError.isInstance(error)) return 'version'
    if (!TraceFormatError.isInstance(error) || error.file !== 'x.jsonl' || error.line === undefined) return error
    // `cannot be read` is what an error says that nobody foresaw.
    return error.line >= 1 && error.line <= lines && !error.problem.includes('cannot be read') ? 'format' : error
  }
}
