import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { checkRow } from '../../src/trace/check-row.ts'
import { toFits } from '../../src/trace/fits-shape.ts'
import { copyValue } from '../../src/trace/values.ts'
import type { Json } from '../../src/trace/json.ts'
import { recogniseRow } from '../../src/trace/recognise-row.ts'
import { rowSchema, toRowShape } from '../../src/trace/schema.ts'
import { createRandom } from '../support/random.ts'
import { encodeRows, goldenHeader, samples } from './samples.ts'

const rules = [{ name: 'order', path: 'input.order', pattern: '^A', flags: 'u' }]
const redacted = { ...goldenHeader, redaction: { rules: [], standIns: 1, own: rules, keep: [{ text: 'a' }, { pattern: 'b+' }] } }
const golden = readFileSync(new URL('../../golden-traces/refund-twice-support-openai.jsonl', import.meta.url), 'utf8')
const lines = [
  ...samples.flatMap(({ row, before }) => encodeRows([...before, row])),
  ...encodeRows([redacted]),
  ...golden.trim().split('\n'),
]

it('recognises what the encoder writes, with every field, and a golden', () => {
  for (const line of lines) {
    const json = JSON.parse(line) as Json
    expect(recogniseRow(json), line).toStrictEqual({ row: json })
  }
})

const SEED = process.env['GOLDENRUN_SEED'] ?? '20261121'

it(`takes nothing for a row that the schema refuses, nor refuses what is one (GOLDENRUN_SEED=${SEED})`, { timeout: 120_000 }, () => {
  const { whole } = createRandom(SEED)
  const pick = <Item>(items: readonly Item[]): Item => items[whole(0, items.length - 1)] as Item
  const verdicts = { row: 0, fault: 0 }
  const wrong: object[] = []
  for (let count = 0; count < 20_000; count += 1) {
    const json = mutate(JSON.parse(pick(lines)) as Json, pick, whole)
    const said = checkRow(json).fault === undefined ? 'row' : 'fault'
    const recognised = recogniseRow(json).fault === undefined ? 'row' : 'fault'
    const text = JSON.stringify(json)
    // zod passes over a field of that name. It is left to it.
    if (recognised !== said && (recognised === 'row' || !text.includes('"__proto__":'))) wrong.push({ text, said, recognised })
    verdicts[said] += 1
  }
  expect(wrong.slice(0, 3)).toEqual([])
  expect(Math.min(verdicts.row, verdicts.fault)).toBeGreaterThan(2000)
})

it.each([
  ['a pattern that is none', { own: [{ name: 'order', pattern: '(' }] }],
  ['a path that is none', { own: [{ name: 'order', path: 'input..order' }] }],
  ['a pattern to keep that is none', { keep: [{ pattern: '(' }] }],
])('leaves it to the schema to refuse %s', (_, own) => {
  const [line = ''] = encodeRows([{ ...goldenHeader, redaction: { rules: [], standIns: 0, ...own } }])
  const json = JSON.parse(line) as Json
  expect(recogniseRow(json)).not.toHaveProperty('row')
  expect(checkRow(json).fault?.field).toMatch(/^redaction\./)
})

it('knows each refinement of the schema as a format', () => {
  const found: string[] = []
  const seen = new Set<unknown>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return
    seen.add(node)
    // What zod knows of a schema and of a check is behind a name that it keeps to its own libraries.
    const internals = Reflect.get(node, '_zod') as { readonly def: z.core.$ZodTypeDef } | undefined
    const checks = (internals?.def.checks ?? []).map((check) => Reflect.get(check, '_zod') as { readonly def: z.core.$ZodCheckDef })
    const { format = 'a refinement without a format' } = (node as Partial<z.ZodType>).meta?.() ?? {}
    if (checks.some(({ def }) => def.check === 'custom')) found.push(String(format))
    const isLazy = internals?.def.type === 'lazy'
    for (const inner of Object.values(internals?.def ?? node))
      visit(isLazy && typeof inner === 'function' ? (inner as () => unknown)() : inner)
  }
  visit(rowSchema)
  expect([...new Set(found)].toSorted()).toEqual(['path', 'regex'])
})

it('goes by the schema as it is: run node scripts/write-trace-schema.ts when this fails', () => {
  const written = readFileSync(new URL('../../src/trace/row-shape.json', import.meta.url), 'utf8')
  expect(written).toBe(`${JSON.stringify(toRowShape(), null, 2)}\n`)
})

it.each([
  ['not', { not: {} }, 'fits-shape.ts does not know not. Teach it, or leave it out of the schema.'],
  ['a format', { format: 'email' }, 'fits-shape.ts does not know the format email. Teach it, or leave it out of the schema.'],
  ['other fields', { properties: {} }, 'fits-shape.ts knows objects of just their properties, or of any.'],
])('refuses what it has no rule for: %s', (_, shape, message) => {
  expect(() => toFits(shape)).toThrow(message)
})

const VALUES: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  2,
  -1,
  1.5,
  Infinity,
  2 ** 53,
  '',
  'a',
  't1',
  't0',
  'AAAA',
  'AAA',
  'AA==',
  'run',
  'write',
  'model',
  '(',
  'a..b',
  '2026-11-21T02:14:06.123Z',
  '2026-11-21',
  '2026-02-30T00:00:00Z',
  [],
  {},
  ['a'],
  [1],
  [['a', 'b']],
  [['a']],
  { $: 't3' },
  { $: 3 },
  { a: 'b' },
  { raw: '1' },
  { like: 't2' },
  { replay: 'same' },
  { name: 'Error', message: 'gone' },
  [{ text: 'a' }],
  [{ pattern: '(' }],
  [{ name: 'a', path: '' }],
]

const KEYS = [
  'text',
  'bytes',
  'length',
  'sameTick',
  'by',
  'output',
  'error',
  'attempt',
  'effect',
  'cause',
  'usage',
  'more',
  'golden',
  'tags',
] as const

type Pick = <Item>(items: readonly Item[]) => Item

/** The same with one thing changed somewhere in it: another value, a field less, or one more. */
function mutate(json: Json, pick: Pick, whole: (from: number, to: number) => number): Json {
  const isLeaf = typeof json !== 'object' || json === null || Object.keys(json).length === 0
  if (isLeaf || whole(0, 5) === 0) return pick(VALUES)
  const copy = copyValue(json) as Record<string, Json>
  const keys = Object.keys(copy)
  const key = pick(keys)
  const what = whole(0, 9)
  if (what === 0 && !Array.isArray(copy)) Reflect.deleteProperty(copy, key)
  else if (what === 1 && !Array.isArray(copy)) copy[pick(KEYS)] = pick(VALUES)
  else copy[key] = mutate(copy[key] as Json, pick, whole)
  return copy
}
