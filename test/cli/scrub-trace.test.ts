import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { scrubTrace } from '../../src/cli/scrub/scrub-trace.ts'
import { createRuleSet } from '../../src/redaction/rule-set.ts'
import { readTraceText } from '../../src/replay/traces/read-trace-text.ts'
import type { HttpOutput, ReturnRow, Row } from '../../src/trace/rows.ts'
import type { RunRow } from '../../src/trace/run-row.ts'
import { assembleTrace } from '../../src/trace/assemble.ts'

const ruleSet = createRuleSet({ rules: [{ name: 'people', pattern: /\bAda L\w{7}|\bBo\b/ }] })

const header: RunRow = {
  kind: 'run',
  format: 3,
  id: '20261121-021406123-1f2c41aa',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  agent: 'support',
  input: { name: 'Ada Lovelace' },
  startedAt: '2026-11-21T02:14:06.123Z',
  runtime: { node: '24.0.0', goldenrun: '0.1.0', timeZone: 'UTC', locale: 'en-US', env: {}, nodeEnv: null },
  contracts: { models: [], systemPrompts: [], tools: {} },
  fidelity: 'wire',
  redaction: { rules: [], standIns: 0 },
  golden: {
    name: 'order',
    expect: { replay: 'same' },
    promotedAt: '2026-11-21T03:00:00.000Z',
    promotedFrom: '20261121-021406123-1f2c41aa',
  },
}
const call: Row = {
  kind: 'call',
  step: 1,
  owner: 0,
  boundary: 'http',
  name: 'shop.example',
  input: { method: 'GET', url: 'https://shop.example/', headers: [] },
  at: 1,
}
const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
const traceOf = (...rows: readonly Row[]): ReturnType<typeof assembleTrace> =>
  assembleTrace([header, call, ...rows, { kind: 'end', at: 9 }], md5)
const outputOf = (rows: readonly Row[] = []): HttpOutput =>
  rows.find((row): row is ReturnRow => row.kind === 'return')?.output as HttpOutput

it('leaves digests of a body that changed to the replay, and keeps others', () => {
  const json = { to: 'Ada Lovelace' }
  const other = md5('something else')
  const headers = [
    ['etag', `"${md5(JSON.stringify(json))}"`],
    ['x-other', other],
  ] as const
  const scrubbed = scrubTrace(traceOf({ kind: 'return', step: 1, at: 2, output: { status: 200, headers, json } }), ruleSet)
  expect(scrubbed?.values).toBe(1)
  expect(outputOf(scrubbed?.rows)).toEqual({
    status: 200,
    headers: [
      ['etag', '""'],
      ['x-other', other],
    ],
    digests: [[0, 1, 'md5', 'hex']],
    json: { to: expect.stringMatching(/^\w{3} \w{8}$/) },
  })
})

it('measures the pieces of a body again whose stand-ins are longer', () => {
  const body = JSON.stringify({ to: 'Bo', of: 'London' })
  const head: Row = { kind: 'head', step: 1, at: 2, status: 200, headers: [['content-type', 'application/json']] }
  const pieces = [8, body.length - 8].map((length): Row => ({ kind: 'chunk', step: 1, at: 3, length }))
  const scrubbed = scrubTrace(
    traceOf(head, ...pieces, { kind: 'return', step: 1, at: 4, output: { json: JSON.parse(body) as unknown } }),
    ruleSet,
  )
  expect(outputOf(scrubbed?.rows)).toEqual({ json: { to: 'REDACTED00002', of: 'London' } })
  const lengths = scrubbed?.rows.flatMap((row) => (row.kind === 'chunk' ? [row.length ?? 0] : [])) ?? []
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(JSON.stringify({ to: 'REDACTED00002', of: 'London' }).length)
})

it('finds nothing a second time, and keeps the stand-ins that a trace has', () => {
  const once = scrubTrace(traceOf(), ruleSet)
  const again = assembleTrace(once?.rows ?? [], md5)
  expect(scrubTrace(again, ruleSet)).toBe(undefined)
  const more = scrubTrace(again, createRuleSet({ rules: [{ name: 'agent', pattern: /\bsupport\b/ }] }))
  expect(more?.rows.filter(({ kind }) => kind === 'stand-in')).toMatchObject([again.rows[1], { kind: 'stand-in', of: 'secret' }])
  expect(more?.rows[0]).toMatchObject({ redaction: { rules: expect.arrayContaining(['people', 'agent']) as unknown } })
})

const goldens = fileURLToPath(new URL('../../golden-traces', import.meta.url))
const files = readdirSync(goldens, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.jsonl'))
  .slice(0, 40)

it.each(files)('leaves %s as it is, in which the rules that it was recorded with find nothing', async (name) => {
  const trace = await readTraceText(readFileSync(path.join(goldens, name), 'utf8'), name)
  expect(scrubTrace(trace, createRuleSet())).toBe(undefined)
})
