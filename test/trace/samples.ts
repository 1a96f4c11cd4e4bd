import { createHash } from 'node:crypto'

import { checked } from '../../src/trace/check-row.ts'
import { createDecoder } from '../../src/trace/codec/decoder.ts'
import { createEncoder } from '../../src/trace/codec/encoder.ts'
import type { Digest } from '../../src/trace/hash.ts'
import type { ConnectionState } from '../../src/trace/http-facts.ts'
import type {
  CallRow,
  CheckpointRow,
  ChunkRow,
  ClosedRow,
  EndRow,
  HeadRow,
  NoteRow,
  ReadsRow,
  RecordedError,
  ReturnRow,
  Row,
  SignalRow,
  ThrowRow,
  TimerRow,
} from '../../src/trace/rows.ts'
import type { RunRow } from '../../src/trace/run-row.ts'

/** SHA-256 as hex. */
export const digest: Digest = (text) => createHash('sha256').update(text).digest('hex')

/** The smallest header. */
export const header: RunRow = {
  kind: 'run',
  format: 1,
  id: 'run_1',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  agent: 'support',
  input: { ticket: 'cancel my order' },
  startedAt: '2026-03-01T08:00:00.000Z',
  runtime: { node: 'v24.0.0', goldenrun: '0.1.0', timeZone: 'UTC', locale: 'en-US', env: {} },
  contracts: { models: [], systemPrompts: [], tools: {} },
  fidelity: 'wire',
  redaction: { rules: [], standIns: 0 },
}

/** The header of a golden. */
export const goldenHeader: RunRow = {
  ...header,
  golden: { name: 'cancel-unshipped', expect: { replay: 'same' }, promotedAt: '2026-03-02T08:00:00.000Z', promotedFrom: 'run_1' },
}

/** A header with every field. */
export const fullHeader: Required<RunRow> = {
  ...header,
  agentVersion: '3.1.4',
  hasContext: true,
  wholeProcess: true,
  tags: { user: 'u_17', ['__proto__']: 'a tag' },
  runtime: { ...header.runtime, env: { REGION: 'eu', FLAG: null } },
  contracts: { models: ['gpt-5'], systemPrompts: ['ab12'], tools: { get_order: 'cd34' } },
  redaction: { rules: ['email'], standIns: 2 },
  compareHeaders: ['x-tenant'],
  ambient: {
    names: ['auth.example.com'],
    answers: [{ boundary: 'external', name: 'token', input: ['eu'], output: { expires: new Date('2026-01-01T00:00:00.000Z') } }],
  },
  effects: { 'POST search.example.com/v1/*': 'read' },
  files: { record: ['/data/**'], maxBytes: 1_048_576 },
  muted: ['telemetry.example.com'],
  unmuted: ['https://telemetry.example.com/query'],
  golden: {
    name: 'refund-twice',
    description: 'the refund is booked twice',
    expectedOutcome: 'one refund',
    expect: {
      replay: 'departs',
      at: 4,
      answers: { refund_order: { at: new Date('2026-01-01T00:00:00.000Z') }, 'api.example.com': undefined },
      checks: [{ matcher: 'toHaveNoRepeatedSideEffects' }, { matcher: 'toHaveCalledTool', args: ['refund_order', { amount: 10n }] }],
    },
    promotedAt: '2026-03-02T08:00:00.000Z',
    promotedFrom: 'run_1',
    rebasedAt: '2026-04-01T08:00:00.000Z',
  },
  replay: { ran: ['get_order'] },
  resumedFrom: { id: 'run_0', checkpoint: 'order-found', state: { at: new Date('2026-01-01T00:00:00.000Z') }, at: 12.5, step: 2 },
  forkedFrom: { id: 'run_0', step: 3, edit: { answer: { at: new Date('2026-01-01T00:00:00.000Z') } }, routes: { 3: 'live' } },
}

/** An error with every field. */
export const fullError: Required<RecordedError> = {
  name: 'NotFoundError',
  message: 'no such order',
  class: 'OrderNotFound',
  code: 'E_NOT_FOUND',
  status: 404,
  cause: { name: 'Error', message: 'select failed', code: 7 },
  fields: { orderId: 'ord_1', at: new Date('2026-01-01T00:00:00.000Z') },
  value: ['thrown'],
}

/** A call of a tool; `row` overrides. */
export function toolCall(step: number, row: Partial<CallRow> = {}): CallRow {
  return { kind: 'call', step, owner: 0, boundary: 'tool', name: 'get_order', input: { id: 'ord_1' }, at: step, ...row }
}

/** A model call with a parsed JSON body. */
export function modelCall(step: number, json: unknown, row: Partial<CallRow> = {}): CallRow {
  const input = { method: 'POST', url: 'https://api.openai.com/v1/chat/completions', headers: [['content-type', 'application/json']], json }
  return { kind: 'call', step, owner: 0, boundary: 'model', name: 'openai.chat', input, at: step, ...row }
}

const call: Required<CallRow> = {
  kind: 'call',
  step: 1,
  owner: 0,
  boundary: 'tool',
  name: 'refund_order',
  effect: 'write',
  idempotencyKey: 'ord_1',
  attempt: 2,
  limit: 5000,
  cut: 2,
  input: { id: 'ord_1', at: new Date('2026-01-01T00:00:00.000Z') },
  agentInput: { id: 'ord_1', at: new Date('2026-02-01T00:00:00.000Z') },
  credentials: [
    { at: 'authorization', value: 'REDACTED00001', variables: ['SHOP_KEY'] },
    { at: 'x-tenant', variables: ['TENANT'] },
  ],
  client: 'Shop/JS 2.1.0',
  at: 1.5,
}
const connection: Required<ConnectionState> = {
  reused: true,
  authorized: false,
  authorizationError: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  alpnProtocol: 'http/1.1',
}
const head: Required<HeadRow> = {
  kind: 'head',
  step: 1,
  at: 2,
  sameTick: true,
  sameTurn: true,
  turns: 3,
  url: 'https://api.example.com/v2/orders',
  status: 200,
  statusText: 'Fine',
  version: '1.0',
  leftOut: ['cf-ray'],
  digests: [[0, 1, 'md5', 'hex']],
  headers: [
    ['x-a', '1'],
    ['x-a', '2'],
  ],
  connection,
}
const textChunk: ChunkRow = { kind: 'chunk', step: 1, at: 3, sameTick: true, text: 'héllo \u0000 \ud83d\ude00 "quoted"\r\n' }
const bytesChunk: ChunkRow = { kind: 'chunk', step: 1, at: 3, bytes: Uint8Array.of(0, 255, 128, 10) }
const lengthChunk: ChunkRow = { kind: 'chunk', step: 1, at: 3, length: 4096 }
const returned: Required<ReturnRow> = {
  kind: 'return',
  step: 1,
  at: 4,
  sameTick: true,
  sameTurn: true,
  turns: 3,
  output: new Map([['ord_1', new Set([1n])]]),
  by: 'agent',
  sync: true,
  inTurn: true,
  outlasted: 15,
  connection,
}
const thrown: Required<ThrowRow> = {
  kind: 'throw',
  step: 1,
  at: 4,
  sameTick: true,
  sameTurn: true,
  turns: 3,
  error: fullError,
  by: 'agent',
  sync: true,
  inTurn: true,
  outlasted: 15,
  connection,
}
const timer: Required<TimerRow> = {
  kind: 'timer',
  owner: 0,
  set: 3,
  delay: 20_000,
  occurrence: 2,
  at: 20_001,
  sameTick: true,
  sameTurn: true,
  turns: 3,
}
const reads: Required<ReadsRow> = {
  kind: 'reads',
  owner: 1,
  clock: [0, 12, -3],
  monotonic: [17, 204],
  random: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
  uuid: ['3b241101-e2bb-4255-8caf-4136c566a962'],
  bytes: [Uint8Array.of(9), Uint8Array.of()],
  facts: [
    { name: 'os.hostname', value: 'web-1' },
    { name: 'os.cpus', value: [{ model: 'a', speed: 2400 }] },
    { name: 'process.constrainedMemory', value: Infinity },
  ],
}
const signal: Required<SignalRow> = {
  kind: 'signal',
  name: 'abort',
  value: new Error('client went away'),
  at: 5,
  sameTick: true,
  sameTurn: true,
  turns: 3,
}
const checkpoint: Required<CheckpointRow> = {
  kind: 'checkpoint',
  owner: 1,
  name: 'order-found',
  by: 'policy',
  state: { order: { total: 12n } },
  at: 6,
}
const note: Required<NoteRow> = { kind: 'note', what: 'unkept-value', where: 'input of step 1: $.save', at: 7 }
const overdue = [
  { owner: 0, set: 1, delay: 5 },
  { owner: 2, set: 3, delay: 0.5, occurrence: 2 },
]
const end: EndRow = { kind: 'end', output: { reply: 'done' }, at: 8, usage: { inputTokens: 10, outputTokens: 3 }, overdue }
const closed: ClosedRow = { kind: 'closed', until: 60_008, muted: 3 }
const endWithError: EndRow = { kind: 'end', error: fullError, at: 8, usage: { inputTokens: 0, outputTokens: 0 } }

/** A row of every kind with every field, with the rows that have to come before it. */
export const samples: readonly { readonly name: string; readonly row: Row; readonly before: readonly Row[] }[] = [
  { name: 'run', row: fullHeader, before: [] },
  { name: 'run of a golden that replays the same', row: goldenHeader, before: [] },
  { name: 'call', row: call, before: [header] },
  { name: 'call of a model', row: modelCall(1, { model: 'm', messages: [{ role: 'user', content: 'hi' }] }), before: [header] },
  { name: 'call with input undefined', row: toolCall(1, { input: undefined }), before: [header] },
  { name: 'head', row: head, before: [header, call] },
  { name: 'head with long headers', row: { ...head, headers: [['x-long', 'v'.repeat(300)]] }, before: [header, call] },
  { name: 'chunk of text', row: textChunk, before: [header, call] },
  { name: 'chunk of no text', row: { ...textChunk, text: '' }, before: [header, call] },
  { name: 'chunk of bytes', row: bytesChunk, before: [header, call] },
  { name: 'chunk of a length', row: lengthChunk, before: [header, call] },
  { name: 'return', row: returned, before: [header, call] },
  { name: 'return of nothing', row: { kind: 'return', step: 1, at: 4 }, before: [header, call] },
  { name: 'throw', row: thrown, before: [header, call] },
  {
    name: 'throw of undefined',
    row: { ...thrown, error: { name: 'undefined', message: 'undefined', value: undefined } },
    before: [header, call],
  },
  { name: 'timer', row: timer, before: [header] },
  { name: 'reads', row: reads, before: [header, call] },
  { name: 'signal', row: signal, before: [header] },
  { name: 'signal without a value', row: { kind: 'signal', name: 'abort', at: 1 }, before: [header] },
  {
    name: 'preamble',
    row: { kind: 'preamble', value: { open: { name: 'shop', input: [] }, server: 'shop', answers: [] }, at: 1 },
    before: [header],
  },
  { name: 'stand-in', row: { kind: 'stand-in', of: 'email', text: 'wit@haab.zz' }, before: [header] },
  { name: 'checkpoint', row: checkpoint, before: [header, call] },
  { name: 'note', row: note, before: [header] },
  { name: 'end', row: end, before: [header] },
  { name: 'end with an error', row: endWithError, before: [header] },
  { name: 'closed', row: closed, before: [header] },
  { name: 'end of an agent that returned nothing', row: { kind: 'end', at: 8 }, before: [header] },
]

/** The lines of rows, in one encoder. */
export function encodeRows(rows: readonly Row[]): string[] {
  const encoder = createEncoder()
  return rows.flatMap((row) => encoder.encode(row))
}

/** The rows of lines, in one decoder. */
export function decodeLines(lines: readonly string[], file?: string): Row[] {
  const decoder = createDecoder(checked, file === undefined ? {} : { file })
  return lines.map((line) => decoder.decode(line)).filter((row) => row !== undefined)
}

/** Rows as a file. */
export function toFile(rows: readonly Row[]): string {
  return `${encodeRows(rows).join('\n')}\n`
}

/** What a function throws; fails when it does not. */
export function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
