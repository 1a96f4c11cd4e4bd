import { readFile, truncate } from 'node:fs/promises'
import { expect } from 'vitest'
import { digest } from '../../src/replay/traces/digest.ts'
import { LogWriter, type LogWriterOptions } from '../../src/stores/event-log/log-writer.ts'
import { readTraceFile } from '../../src/stores/read-trace-file.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Row } from '../../src/trace/rows.ts'
import type { RunRow } from '../../src/trace/run-row.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

const runtime = { node: '24.0.0', goldenrun: '0.1.0', timeZone: 'UTC', locale: 'en-US', env: {} }
const contracts = { models: [], systemPrompts: [], tools: {} }
export const header: RunRow = {
  kind: 'run',
  format: 1,
  id: '20260101-000000000-00000000',
  traceId: '0'.repeat(32),
  agent: 'support',
  input: { ticket: 'late' },
  startedAt: '2026-01-01T00:00:00.000Z',
  runtime,
  contracts,
  fidelity: 'wire',
  redaction: { rules: [], standIns: 0 },
}

/** Text that says something else at every place, so that it does not compress to nothing. */
function words(seed: number, count: number): string {
  let state = seed
  const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648)
  return Array.from({ length: count }, () => (next() % 46_656).toString(36)).join(' ')
}

/** A conversation of so many model calls, each of which sends all that was said before, with a checkpoint after each. */
export function conversation(calls: number): Row[] {
  const messages: { role: string; content: string }[] = [{ role: 'system', content: words(1, 200) }]
  const steps = Array.from({ length: calls }, (_, index): Row[] => {
    const step = index + 1
    messages.push({ role: 'user', content: words(step + 7, 60) })
    const json = { model: 'gpt-5', messages: structuredClone(messages) }
    const event = (text: string): string => `data: {"id":"answer_${step}","choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`
    return [
      {
        kind: 'call',
        step,
        owner: 0,
        boundary: 'model',
        name: 'openai.chat',
        input: { method: 'POST', url: 'https://a.example/', headers: [], json },
        at: step,
      },
      { kind: 'head', step, at: step, status: 200, headers: [['content-type', 'text/event-stream']] },
      { kind: 'chunk', step, at: step, text: event(words(step, 3)) },
      { kind: 'chunk', step, at: step, text: event(words(step + 3, 2)) },
      { kind: 'return', step, at: step },
      { kind: 'checkpoint', owner: 0, name: 'said', state: { messages: json.messages.slice(-3), step }, at: step },
    ]
  })
  return [header, ...steps.flat(), { kind: 'end', output: 'done', at: calls + 1 }]
}

/** Writes rows with a flush after each that settles a step, and gives the file. */
export function writeLog(directory: TemporaryDirectory, rows: readonly Row[], options: LogWriterOptions = {}): string {
  const file = directory.resolve('run.runlog')
  const writer = new LogWriter(file, options)
  for (const row of rows) {
    writer.write(row)
    if (row.kind === 'return') writer.flush()
  }
  writer.close()
  return file
}

/** Cuts a log again and again, each time so many bytes before the last, and expects each to be read up to its last whole frame. */
export async function expectCutLogsRead(step: number): Promise<void> {
  await using directory = await createTemporaryDirectory()
  const rows = conversation(3)
  const file = writeLog(directory, rows, { keyframeEvery: 700 })
  const whole = await readFile(file)
  let most = 0
  for (let length = whole.length - 1; length > 0; length -= step) {
    await truncate(file, length)
    const text = (await readTraceFile(file))?.text ?? ''
    if (text.split('\n', 1)[0] === '' || !text.includes('"kind":"run"')) continue
    const read = decodeTrace(text, 'run', digest).rows
    const kept = read.filter((row) => row.kind !== 'note')
    expect(kept).toEqual(rows.slice(0, kept.length))
    expect(kept.length).toBeLessThan(rows.length)
    // Where a frame ends just there, nothing is torn.
    const at = kept.findLast((row) => 'at' in row)?.at ?? 0
    const torn = { kind: 'note', what: 'torn-tail', where: expect.stringMatching(/^byte \d+$/), at }
    expect(read.slice(kept.length)).toEqual([torn].slice(0, read.length - kept.length))
    most = Math.max(most, kept.length)
  }
  expect(most).toBe(rows.length - 2)
}
