import { expect, it } from 'vitest'

import { TraceFormatError } from '../../src/trace/errors/trace-format-error.ts'
import { TraceVersionError } from '../../src/trace/errors/trace-version-error.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Row } from '../../src/trace/rows.ts'
import { createRandom } from '../support/random.ts'
import { digest, encodeRows, fullError, fullHeader, goldenHeader, modelCall, toolCall } from './samples.ts'

const SEED = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
/** `npm run test:full -- mutations` reads fifty times as many. */
const MUTATIONS = Number(process.env['GOLDENRUN_MUTATIONS'] ?? 2_000)

/** A trace with every kind of row, reference and value. */
function sampleRows(): Row[] {
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

const FRAGMENTS = [
  '"$"',
  '{"$":"t1"}',
  '{"$":"t99"}',
  '{"$":{"after":1,"add":[]}}',
  '{"$":{"after":99,"keep":3,"add":[1]}}',
  '{"$":{"date":"x"}}',
  '{"$":{"cycle":"$"}}',
  '"__proto__":{"polluted":1},',
  '"constructor":{"prototype":{"polluted":1}},',
  'null',
  '[]',
  '{}',
  '-1',
  '1e999',
  '"t1"',
  '"kind":"run",',
  '\u0000',
  '\ud800',
  '[[[[',
  '}}}}',
  ',',
  '"',
]

it(`reads ${MUTATIONS} mutated lines as an error with file and line, or as a trace (GOLDENRUN_SEED=${SEED})`, { timeout: 300_000 }, () => {
  const lines = encodeRows(sampleRows())
  expect(decodeTrace(`${lines.join('\n')}\n`, 'x.jsonl', digest).steps).toHaveLength(4)
  const { next } = createRandom(SEED)
  const random = (below: number): number => Math.floor(next() * below)
  const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T
  const mutators: ((line: string) => string)[] = [
    (line) => line.slice(0, random(line.length)),
    (line) => line.slice(0, random(line.length)) + line.slice(random(line.length)),
    (line) => {
      const at = random(line.length)
      return line.slice(0, at) + pick(FRAGMENTS) + line.slice(at)
    },
    (line) => {
      const at = random(line.length)
      return line.slice(0, at) + String.fromCharCode(32 + random(95)) + line.slice(at + 1)
    },
    (line) => replaceToken(line, random, pick(FRAGMENTS)),
    (line) => replaceToken(line, random, pick(lines)),
    () => pick(lines),
    () => '',
  ]
  const results: Record<'trace' | 'format' | 'version', number> = { trace: 0, format: 0, version: 0 }
  for (let index = 0; index < MUTATIONS; index++) {
    const at = random(lines.length)
    const mutated = lines.with(at, pick(mutators)(lines[at] ?? ''))
    const text = mutated.join('\n') + (random(2) === 0 ? '\n' : '')
    const result = readingOf(text, lines.length)
    expect(result, `GOLDENRUN_SEED=${SEED}, mutation ${index}, of line ${at + 1}:\n${text}`).toBeOneOf(['trace', 'format', 'version'])
    results[result as keyof typeof results]++
  }
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
  expect(results.format).toBeGreaterThan(MUTATIONS / 3)
  expect(results.trace).toBeGreaterThan(MUTATIONS / 20)
})

/** What reading came to: a whole trace, an error as it should be, or else the error itself. */
function readingOf(text: string, lines: number): unknown {
  try {
    return /^[0-9a-f]{64}$/.test(decodeTrace(text, 'x.jsonl', digest).hash) ? 'trace' : 'no hash'
  } catch (error) {
    if (TraceVersionError.isInstance(error)) return 'version'
    if (!TraceFormatError.isInstance(error) || error.file !== 'x.jsonl' || error.line === undefined) return error
    // `cannot be read` is what an error says that nobody foresaw.
    return error.line >= 1 && error.line <= lines && !error.problem.includes('cannot be read') ? 'format' : error
  }
}

/** Puts something in the place of a string, number or literal of a line. */
function replaceToken(line: string, random: (below: number) => number, replacement: string): string {
  const tokens = [...line.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null/g)]
  const token = tokens[random(tokens.length)]
  return token === undefined ? line : line.slice(0, token.index) + replacement + line.slice(token.index + token[0].length)
}

it('reads a golden that is cut anywhere as an error, but for the line break at its end', { timeout: 120_000 }, () => {
  const text = `${encodeRows(sampleRows().with(0, goldenHeader)).join('\n')}\n`
  for (let end = 1; end < text.length - 1; end += 1) {
    expect(readingOf(text.slice(0, end), text.split('\n').length), `cut after ${end} characters`).toBe('format')
  }
  expect(readingOf(text.slice(0, -1), text.split('\n').length)).toBe('trace')
})
