import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { writeRowCheck } from '../../scripts/row-check-code.ts'
import { checked, checkRow } from '../../src/trace/check-row.ts'
import type { ValueForm } from '../../src/trace/trace-check.ts'
import type { Json } from '../../src/trace/json.ts'
import { rowSchema, valueSchemas } from '../../scripts/trace-schema.ts'
import { copyValue } from '../../src/trace/values.ts'
import { createRandom } from '../support/random.ts'
import { checkBySchema } from './check-by-schema.ts'
import { encodeRows, goldenHeader, samples } from './samples.ts'

const rules = [{ name: 'order', path: 'input.order', pattern: '^A', flags: 'u' }]
const redacted = { ...goldenHeader, redaction: { rules: [], standIns: 1, own: rules, keep: [{ text: 'a' }, { pattern: 'b+' }] } }
const golden = readFileSync(new URL('../../golden-traces/refund-twice-support-openai.jsonl', import.meta.url), 'utf8')
const lines = [
  ...samples.flatMap(({ row, before }) => encodeRows([...before, row])),
  ...encodeRows([redacted]),
  ...golden.trim().split('\n'),
]

it('accepts what the encoder writes, with every field, and a golden', () => {
  for (const line of lines) {
    const json = JSON.parse(line) as Json
    expect(checkRow(json), line).toStrictEqual({ row: json })
  }
})

const SEED = process.env['GOLDENRUN_SEED'] ?? '20261121'

it(`refuses what the schema refuses, at the same place and in the same words (GOLDENRUN_SEED=${SEED})`, { timeout: 120_000 }, () => {
  const { whole } = createRandom(SEED)
  const pick = <Item>(items: readonly Item[]): Item => items[whole(0, items.length - 1)] as Item
  const verdicts = { row: 0, fault: 0 }
  const wrong: object[] = []
  for (let count = 0; count < 6_000; count += 1) {
    const json = mutate(JSON.parse(pick(lines)) as Json, pick, whole)
    const { fault: expected } = checkBySchema(json)
    const { fault } = checkRow(json)
    const text = JSON.stringify(json)
    // zod leaves out such a field of a record, whatever its value is.
    const isLeftOut = expected === undefined && text.includes('"__proto__":')
    if (!isLeftOut && (fault?.problem !== expected?.problem || fault?.field !== expected?.field)) wrong.push({ text, expected, fault })
    verdicts[expected === undefined ? 'row' : 'fault'] += 1
  }
  expect(wrong.slice(0, 3)).toEqual([])
  expect(Math.min(verdicts.row, verdicts.fault)).toBeGreaterThan(600)
})

const forms: readonly [form: ValueForm, sample: Json][] = [
  ['httpInput', { method: 'POST', url: 'https://a.test/', headers: [['content-type', 'application/json']], json: { a: [1] }, text: 'a' }],
  [
    'httpOutput',
    {
      status: 200,
      statusText: 'Fine',
      version: '1.0',
      url: 'https://a.test/',
      headers: [['a', 'b']],
      trailers: [],
      received: [null],
      json: 1,
    },
  ],
  ['headers', [['Set-Cookie', 'a=1']]],
  ['exit', { code: 0, signal: null, killed: true }],
  ['close', { code: 1000, reason: 'bye' }],
  ['answer', { status: 101, headers: [['Upgrade', 'websocket']] }],
  [
    'metadata',
    [
      [':status', '200'],
      ['grpc-encoding', 'gzip'],
    ],
  ],
  ['ambientAnswer', { boundary: 'http', name: 'a.test', input: {}, output: null }],
  [
    'preamble',
    {
      open: { name: 'node', input: ['a.js'] },
      server: 'shop',
      answers: [
        { method: 'initialize', params: {}, failure: { name: 'Error', message: 'gone', cause: { name: 'Error', message: 'shut' } } },
      ],
    },
  ],
]

it.each(forms)(`checks values of the form %s as the schema does (GOLDENRUN_SEED=${SEED})`, (form, sample) => {
  const { whole } = createRandom(SEED)
  const pick = <Item>(items: readonly Item[]): Item => items[whole(0, items.length - 1)] as Item
  expect(checked.value(form, sample, ['input'], 'call')).toBeUndefined()
  const verdicts = { fits: 0, faults: 0 }
  for (let count = 0; count < 1_000; count += 1) {
    const value = mutate(sample, pick, whole)
    const fits = valueSchemas[form].safeParse(value).success
    expect(checked.value(form, value, ['input'], 'call') === undefined, JSON.stringify(value)).toBe(fits)
    verdicts[fits ? 'fits' : 'faults'] += 1
  }
  expect(Math.min(verdicts.fits, verdicts.faults)).toBeGreaterThan(20)
})

it.each([
  ['a pattern that is none', { own: [{ name: 'order', pattern: '(' }] }, 'redaction.own[0].pattern'],
  ['a path that is none', { own: [{ name: 'order', path: 'input..order' }] }, 'redaction.own[0].path'],
  ['a pattern to keep that is none', { keep: [{ pattern: '(' }] }, 'redaction.keep[0].pattern'],
])('refuses %s', (_, own, field) => {
  const [line = ''] = encodeRows([{ ...goldenHeader, redaction: { rules: [], standIns: 0, ...own } }])
  expect(checkRow(JSON.parse(line) as Json).fault?.field).toBe(field)
})

it('refuses a field that has the name of a prototype', () => {
  const json = JSON.parse('{"kind":"closed","until":1,"__proto__":1}') as Json
  expect(checkRow(json).fault).toEqual({ problem: 'a closed row has no field "__proto__"', field: '__proto__' })
})

it('checks a long text of bytes without a deep stack', () => {
  const bytes = 'AAAA'.repeat(5_000_000)
  expect(checkRow({ kind: 'chunk', step: 1, at: 0, bytes })).toHaveProperty('row')
})

it('is written from the schema as it is', () => {
  const written = readFileSync(new URL('../../src/trace/row-check.ts', import.meta.url), 'utf8')
  expect(written).toBe(writeRowCheck(rowSchema, valueSchemas))
})

const row = (field: z.ZodType): z.ZodType => z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('a'), field })])

it.each([
  ['a type', row(z.date()), 'check-a-field: there is no rule for a schema of the type date. Add one to scripts/row-check-code.ts.'],
  [
    'a text format',
    row(z.email({ error: 'an address' })),
    'There is no rule for the check string_format. Add one to scripts/row-check-code.ts.',
  ],
  [
    'a length',
    row(z.string().min(1, { error: 'text' })),
    'There is no rule for the check min_length. Add one to scripts/row-check-code.ts.',
  ],
  [
    'a refinement',
    row(z.string().refine(Boolean, { error: 'text' })),
    'A refinement has to have a format in its meta data that is one of regex, path, url, bytes.',
  ],
  ['a number above', row(z.number().gt(1)), 'Numbers have to be any, or whole and at least something.'],
  [
    'a list of a length',
    row(z.array(z.string()).max(2)),
    'check-a-field: there is no rule for the check max_length. Add one to scripts/row-check-code.ts.',
  ],
  [
    'a refined object',
    row(z.strictObject({}).refine(Boolean)),
    'check-a-field: there is no rule for the check custom. Add one to scripts/row-check-code.ts.',
  ],
  ['an object of any field', row(z.object({})), 'check-a-field: objects have to be strict.'],
  [
    'a field that objects have',
    row(z.strictObject({ toString: z.string() })),
    'check-a-field: every object has a toString. Rename the field.',
  ],
  ['a union without words', row(z.union([z.string(), z.null()])), 'A type that is not plain needs an error that says what it has to be.'],
])('cannot be written of %s that it has no rule for', (_, schema, message) => {
  expect(() => writeRowCheck(schema)).toThrow(new Error(message))
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
