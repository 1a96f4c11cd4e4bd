import { createRecorder } from '../../src/record/recorder.ts'
import type { RecorderStats } from '../../src/record/recorder-types.ts'
import type { RecorderOptions } from '../../src/record/recorder-options.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { currentRun } from '../../src/run/current-run.ts'
import type { Row } from '../../src/trace/rows.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { disposeAfter } from './dispose-after.ts'
import { readRecording } from './read-recording.ts'
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
  /** The recording as JSON lines. */
  readonly text: string
  readonly stats: RecorderStats
}

/** What a recorded run is given. */
export interface RecordRunOptions<Input> {
  readonly input?: Input
  readonly tags?: Readonly<Record<string, string>>
  readonly context?: unknown
  /** How it is recorded. */
  readonly recorder?: Omit<RecorderOptions, 'store'>
  /** What is done with what the agent hands out; the run may end with it. Default: nothing. */
  readonly consume?: (output: never) => unknown
  /** Whether the agent throws: what it threw is then given, else `recordRun` throws it too. Default: false. */
  readonly fails?: boolean
}

/** A recorder with a directory of its own. */
export interface TestRecorder extends AsyncDisposable {
  /** Records one run of an agent, and reads the recording. */
  record<Output, Input = undefined>(
    agent: (input: Input) => Output,
    options?: Omit<RecordRunOptions<Input>, 'recorder'>,
  ): Promise<RecordedRun<Awaited<Output>>>
}

/** Makes a recorder for any number of runs. */
export async function startRecorder(recorderOptions: Omit<RecorderOptions, 'store'> = {}): Promise<TestRecorder> {
  const directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs'), thread: false, ...recorderOptions })
  return {
    async record(agent, { fails = false, consume = () => undefined, input, ...options } = {}) {
      let id = ''
      const run = { agent: 'agent', ...options, input: input as Parameters<typeof agent>[0] }
      const settled = await settle(() =>
        recorder.run(run, (given, context) => {
          id = currentRun()?.id ?? ''
          return Reflect.apply(agent, undefined, [given, context])
        }),
      )
      if ('error' in settled && !fails) throw settled.error
      if ('output' in settled) await consume(settled.output as never)
      await recorder.flush()
      const { text, file: name } = await readRecording(directory.resolve('runs'), id)
      const outcome = { output: undefined as Awaited<ReturnType<typeof agent>>, error: undefined, ...settled }
      return { ...outcome, text, trace: decodeTrace(text, name, digest), stats: recorder.stats() }
    },
    async [Symbol.asyncDispose]() {
      await recorder.close()
      await directory[Symbol.asyncDispose]()
    },
  }
}

/** Records one run of an agent with a recorder of its own. */
export async function recordRun<Output, Input = undefined>(
  agent: (input: Input) => Output,
  { recorder: recorderOptions = {}, ...options }: RecordRunOptions<Input> = {},
): Promise<RecordedRun<Awaited<Output>>> {
  return await disposeAfter(await startRecorder(recorderOptions), (recorder) => recorder.record(agent, options))
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

/** What `Math.random()` gave in a run. */
export function randomNumbersOf(trace: Trace): number[] {
  const bytes = Buffer.concat(rowsOf(trace, 'reads').map(({ random }) => random ?? new Uint8Array()))
  return Array.from({ length: bytes.length / 8 }, (_, index) => bytes.readDoubleLE(index * 8))
}

/** The kinds of a trace's rows, in order, without the header. */
export function kindsOf(trace: Trace): string[] {
  return trace.rows.slice(1).map((row) => ('step' in row ? `${row.kind} ${row.step}` : row.kind))
}
