import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRecorder } from '../../record/recorder.ts'
import type { RecorderOptions } from '../../record/recorder-options.ts'
import { createDirectoryStore } from '../../stores/directory-store.ts'
import type { Settled } from '../../trace/rows.ts'
import type { RunRow } from '../../trace/run-row.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import { readTraceText } from '../traces/read-trace-text.ts'
import type { Trace } from '../../trace/trace.ts'

/** The options for running an agent live. */
export interface RecordLiveOptions extends Omit<RecorderOptions, 'store'> {
  /** The agent's second argument. Default: none. */
  readonly context?: unknown
}

/** How long to wait for work that outlives the run. */
const lateMilliseconds = 1_000

/**
 * Runs an agent live, once, and reads its recording. Whatever the agent hands out is read to its end.
 *
 * @returns The recording, and what the agent threw, if it did.
 */
export async function recordLive(
  run: Pick<RunRow, 'agent' | 'agentVersion' | 'tags' | 'input'>,
  agent: (input: never, context: unknown) => unknown,
  { context, ...options }: RecordLiveOptions,
): Promise<{ readonly trace: Trace; readonly error?: unknown }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'goldenrun-record-'))
  const recorder = createRecorder({ ...options, store: directory, thread: false, limits: { lateMilliseconds } })
  try {
    const settled = await settle(() => recorder.run({ ...run, input: run.input as never, context }, agent))
    await recorder.flush()
    while (recorder.stats().watching > 0) await sleep(10)
    return { trace: await readOnly(directory), ...('error' in settled && { error: settled.error }) }
  } finally {
    await recorder.close()
    await rm(directory, { recursive: true, force: true })
  }
}

/** The error of a live run, as the end of a sentence. */
export function describeFailure(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/** What the agent hands out belongs to its run, so the recording ends once it has been read. */
async function settle(run: () => Promise<unknown>): Promise<Settled> {
  try {
    const output = await run()
    if (output instanceof Response) await output.arrayBuffer()
    else if (isStream(output)) for await (const _ of output) continue
    return { output }
  } catch (error) {
    return { error }
  }
}

function isStream(output: unknown): output is AsyncIterable<unknown> {
  return typeof output === 'object' && output !== null && Symbol.asyncIterator in output
}

async function readOnly(directory: string): Promise<Trace> {
  const store = createDirectoryStore(directory)
  const [id = ''] = await store.list()
  const stored = await store.read(id)
  if (stored === undefined) throw new GoldenrunError('GOLDENRUN_RECORD_FAILED', 'The run was not recorded: see the warnings above.')
  return await readTraceText(stored.text, stored.file)
}
