import { createEncoder } from '../../src/trace/codec/encoder.ts'
import { FORMAT_VERSION, type Row } from '../../src/trace/rows.ts'
import type { RunRow } from '../../src/trace/run-row.ts'

/** The text of a trace with these rows behind its header. */
export function traceText(rows: readonly Row[], header: Partial<RunRow> = {}): string {
  const encoder = createEncoder()
  return `${[{ ...plainHeader, ...header }, ...rows].flatMap((row) => encoder.encode(row)).join('\n')}\n`
}

/** A tool call that settled: its rows. */
export function toolRows(step: number, name: string, more: Partial<ToolCall> = {}): Row[] {
  const { at = step * 10, took = 5, owner = 0, input = {}, output = null, effect, attempt } = more
  return [
    { kind: 'call', step, owner, boundary: 'tool', name, input, at, ...(effect && { effect }), ...(attempt && { attempt }) },
    { kind: 'return', step, at: at + took, output },
  ]
}

interface ToolCall {
  readonly at: number
  readonly took: number
  readonly owner: number
  readonly input: unknown
  readonly output: unknown
  readonly effect: 'read' | 'write'
  readonly attempt: number
}

const plainHeader: RunRow = {
  kind: 'run',
  format: FORMAT_VERSION,
  id: '20261121-021400000-0a0b0c0d',
  traceId: 'fa951f9854592ab43629f1584ab5beb6',
  agent: 'support',
  input: { ticket: 'Where is ord_1?' },
  startedAt: '2026-11-21T02:14:00.000Z',
  runtime: { node: '24.0.0', goldenrun: '0.1.0', timeZone: 'UTC', locale: 'en-US', env: {} },
  contracts: { models: [], systemPrompts: [], tools: {} },
  fidelity: 'wire',
  redaction: { rules: [], standIns: 0 },
}
