import { FORMAT_VERSION, type Row } from '../../trace/rows.ts'
import type { RunRow } from '../../trace/run-row.ts'
import { LogFrames } from '../event-log/log-frames.ts'
import type { RunQuery, RunStatus, RunSummary } from '../run-summary.ts'
import { toStoredLog } from '../stored-log.ts'
import { StoredRun } from '../stored-run.ts'
import { summarizeRows } from '../summarize-run.ts'
import type { StoredLog, TraceStore } from '../trace-store.ts'
import { toRecorded } from '../../trace/values.ts'

/** A sample run for a store. */
export interface SampleRun {
  readonly header: RunRow
  readonly rows: readonly Row[]
}

/** The fields of a sample run. */
export interface SampleFields extends Pick<RunQuery, 'agent' | 'agentVersion' | 'tags' | 'tool' | 'idempotencyKey' | 'model' | 'error'> {
  readonly status?: RunStatus
  readonly notes?: readonly (readonly [what: string, where: string])[]
}

/** Creates a run that started this many seconds after noon of a fixed day, which its id and trace id show. */
export function sampleRun(second: number, fields: SampleFields = {}): SampleRun {
  const {
    agent = 'support',
    agentVersion,
    tags,
    status = 'returned',
    tool = 'get_order',
    idempotencyKey,
    model = 'gpt-4.1',
    error,
    notes = [],
  } = fields
  const startedAt = new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString()
  const digits = second.toString(16).padStart(8, '0')
  const header: RunRow = {
    kind: 'run',
    format: FORMAT_VERSION,
    id: `${startedAt.slice(0, 10).replaceAll('-', '')}-${startedAt.slice(11, 23).replaceAll(/[:.]/g, '')}-${digits}`,
    traceId: digits.padStart(32, 'a'),
    agent,
    ...(agentVersion === undefined ? {} : { agentVersion }),
    input: { ticket: `ticket ${second}` },
    ...(tags === undefined ? {} : { tags }),
    startedAt,
    runtime: { node: '24.0.0', goldenrun: '0.1.0', timeZone: 'UTC', locale: 'en-US', env: {} },
    contracts: { models: [], systemPrompts: [], tools: {} },
    fidelity: 'wire',
    redaction: { rules: [], standIns: 0 },
  }
  const request = {
    method: 'POST',
    url: 'https://api.example/v1/chat/completions',
    headers: [],
    json: { model, messages: [{ role: 'user', content: 'x' }] },
  }
  const ended: Record<RunStatus, Row[]> = {
    returned: [{ kind: 'end', output: { reply: 'done', at: new Date(0), big: 2n ** 70n }, at: 9 }],
    threw: [{ kind: 'end', error: { name: 'TypeError', message: error ?? 'no luck' }, at: 9 }],
    'in-flight': [],
  }
  const rows: Row[] = [
    { kind: 'call', step: 1, owner: 0, boundary: 'model', name: 'openai.chat', input: request, at: 1 },
    { kind: 'head', step: 1, at: 2, status: 200, headers: [['content-type', 'application/json']] },
    { kind: 'chunk', step: 1, at: 2, text: '{"usage":{"prompt_tokens":30,"completion_tokens":4}}', sameTick: true },
    { kind: 'return', step: 1, at: 3, sameTick: true },
    { kind: 'reads', owner: 0, clock: [5, 0], random: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) },
    {
      kind: 'call',
      step: 2,
      owner: 0,
      boundary: 'tool',
      name: tool,
      effect: 'write',
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      input: { order: 'ord_1', list: [{ a: 1 }] },
      at: 4,
    },
    { kind: 'checkpoint', owner: 2, name: 'found', state: new Map([['order', 'ord_1']]), at: 4 },
    { kind: 'return', step: 2, at: 5, output: 'x'.repeat(400) },
    ...notes.map(([what, where]): Row => ({ kind: 'note', what, where, at: 6 })),
    ...ended[status],
  ]
  return { header, rows }
}

/** Writes a run to a store as a recorder does; a run in flight is not closed. */
export function writeRun(store: TraceStore, { header, rows }: SampleRun, keeps?: () => boolean): void {
  const run = new StoredRun(store, { ...header, input: undefined })
  for (const row of [header, ...rows]) run.write(row)
  if (rows.at(-1)?.kind === 'end') run.close(keeps)
  else run.flush()
}

/** Creates the finished log of a sample run, as another store holds it, and its summary. */
export function sampleLog(
  { header, rows }: SampleRun,
  flags: readonly string[] = [],
): { readonly log: StoredLog; readonly summary: RunSummary } {
  const frames = new LogFrames()
  for (const row of [header, ...rows]) frames.add(row)
  const bytes = frames.take() ?? new Uint8Array()
  frames.release()
  const summary = summarizeRows([header, ...rows])
  const flagged = flags.length === 0 ? {} : { flags }
  return {
    log: toStoredLog(bytes, { id: header.id, file: `the log of ${header.id}`, ...flagged }),
    summary: { ...summary, flags: [...summary.flags, ...flags] },
  }
}

/** Creates a run that does nothing, for checks with many runs. */
export function emptyRun(second: number): SampleRun {
  const { header } = sampleRun(second)
  return { header, rows: [{ kind: 'end', output: second, at: 1 }] }
}

/** Returns the id of a sample run. */
export function idOf(second: number): string {
  return sampleRun(second).header.id
}

/** Returns the ids of the runs that a store finds. */
export async function found(store: TraceStore, query: RunQuery): Promise<string[] | undefined> {
  return (await store.find?.(query))?.runs.map(({ id }) => id)
}

/** Returns the rows of a recording in comparable form. */
export async function rowsOf(store: TraceStore, id: string): Promise<unknown[]> {
  const stored = await store.read(id)
  // Loaded lazily: reading rows loads a schema library. The hash is not needed.
  const { decodeTrace } = await import('../../trace/read.ts')
  return stored === undefined ? [] : decodeTrace(stored.text, stored.file, () => '').rows.map(comparable)
}

/** Converts a row to JSON, without undefined fields. */
export function comparable(row: Row): unknown {
  return JSON.parse(JSON.stringify(toRecorded(row)))
}
