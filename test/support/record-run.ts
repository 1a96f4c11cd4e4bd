import { readdir, readFile } from 'node:fs/promises'
import { createRecorder, type RecorderOptions, type RecorderStats } from '../../src/record/recorder.ts'
import { digest } from '../../src/replay/digest.ts'
import type { Row } from '../../src/trace/rows.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { createTemporaryDirectory } from './temporary-directory.ts'

/** What an agent came to: its output, or what it threw. */
export type Settled<Output> = { readonly output: Output } | { readonly error: unknown }

/** A run that was recorded in a directory of its own. */
export interface RecordedRun<Output> {
  /** What the agent returned. */
  readonly output: Output
  /** What it threw. */
  readonly error: unknown
  readonly trace: Trace
  /** The recording's file. */
  readonly text: string
  readonly stats: RecorderStats
}

/** What a recorded run is given. */
export interface RecordRunOptions<Input> {
  readonly input?: Input
  readonly tags?: Readonly<Record<string, string>>
  readonly context?: unknown
  /** What its recorder is told beside its store. */
  readonly recorder?: Omit<RecorderOptions, 'store'>
  /** Whether the agent throws: what it threw is then given, else `recordRun` throws it too. Default: false. */
  readonly fails?: boolean
}

/** Records one run of an agent, and reads the recording. */
export async function recordRun<Output, Input = undefined>(
  agent: (input: Input) => Output,
  { fails = false, recorder: recorderOptions = {}, ...options }: RecordRunOptions<Input> = {},
): Promise<RecordedRun<Awaited<Output>>> {
  await using directory = await createTemporaryDirectory()
  const store = directory.resolve('runs')
  const recorder = createRecorder({ store, ...recorderOptions })
  try {
    const settled = await settle(() => recorder.run({ agent: 'agent', ...options, input: options.input as Input }, agent))
    if ('error' in settled && !fails) throw settled.error
    const [name = ''] = await readdir(store)
    const text = await readFile(directory.resolve('runs', name), 'utf8')
    const outcome = { output: undefined as Awaited<Output>, error: undefined, ...settled }
    return { ...outcome, text, trace: decodeTrace(text, name, digest), stats: recorder.stats() }
  } finally {
    await recorder.close()
  }
}

/** Waits for what a function comes to, and never rejects. */
export async function settle<Output>(body: () => Output): Promise<Settled<Awaited<Output>>> {
  try {
    return { output: await body() }
  } catch (error) {
    return { error }
  }
}

/** The rows of one kind. */
export function rowsOf<Kind extends Row['kind']>(trace: Trace, kind: Kind): Extract<Row, { kind: Kind }>[] {
  return trace.rows.filter((row): row is Extract<Row, { kind: Kind }> => row.kind === kind)
}

/** The kinds of a trace's rows, in order, without the header. */
export function kindsOf(trace: Trace): string[] {
  return trace.rows.slice(1).map((row) => ('step' in row ? `${row.kind} ${row.step}` : row.kind))
}
