import { expect, it } from 'vitest'
import { decodeTrace } from '../../src/trace/read.ts'
import { createRandom } from '../support/random.ts'
import { digest, encodeRows } from './samples.ts'
import { expectCutsRefused, readingOf, sampleRows } from '../support/mutated-traces.ts'

const SEED = process.env['GOLDENRUN_SEED'] ?? String(Date.now())

/** `npm run test:full -- mutations` reads a hundred thousand. */
const MUTATIONS = Number(process.env['GOLDENRUN_MUTATIONS'] ?? 2_000)

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

/** Puts something in the place of a string, number or literal of a line. */
function replaceToken(line: string, random: (below: number) => number, replacement: string): string {
  const tokens = [...line.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null/g)]
  const token = tokens[random(tokens.length)]
  return token === undefined ? line : line.slice(0, token.index) + replacement + line.slice(token.index + token[0].length)
}

// After each character: mutations.slow.test.ts.
it('reads a golden that is cut after any seventh character as an error, but for the line break at its end', () => {
  expectCutsRefused(7)
})
