import { createRecorder } from '../../../src/record/recorder.ts'
import type { RecorderStats } from '../../../src/record/recorder-types.ts'
import { digest } from '../../../src/replay/traces/digest.ts'
import { createDirectoryStore } from '../../../src/stores/directory-store.ts'
import { decodeTrace } from '../../../src/trace/read.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { collectGarbage } from '../../support/collect-garbage.ts'
import { busyAgent, type BusyInput, markerOf, markersIn, startBusyWorld } from './busy-agent.ts'

/** How much is recorded. */
export interface SoakOptions {
  readonly runs: number
  /** How many steps each makes. */
  readonly steps: number
  /** How many of them at a time. */
  readonly concurrency: number
  readonly seed: string
  /** How often memory is looked at, in runs. Default: never. */
  readonly sampleEvery?: number
}

/** What the process held while runs were under way, after garbage collection, in bytes. */
export interface MemorySample {
  /** Runs that had ended. */
  readonly runs: number
  readonly heap: number
  /** Of all threads, the one that writes included. */
  readonly resident: number
}

/** What came of it. */
export interface Soaked {
  readonly stats: RecorderStats
  readonly samples: readonly MemorySample[]
  readonly milliseconds: number
}

/** Records many runs, so many at a time, into a directory. Rejects where an agent does, as one does that is answered another's question. */
export async function soak(directory: string, options: SoakOptions): Promise<Soaked> {
  const { runs, steps, concurrency, seed, sampleEvery = Infinity } = options
  const started = performance.now()
  await using world = await startBusyWorld(seed)
  const recorder = createRecorder({ store: directory, limits: { closeMilliseconds: 600_000 } })
  await recorder.start()
  const samples: MemorySample[] = []
  let [begun, ended] = [0, 0]
  const next = async (): Promise<void> => {
    while (begun < runs) {
      const number = begun
      begun += 1
      await recorder.run({ agent: 'busy', input: { number, seed }, context: { url: world.url, steps } }, busyAgent)
      ended += 1
      if (ended % sampleEvery === 0) samples.push(sampleMemory(ended))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, next))
  await recorder.close()
  return { stats: recorder.stats(), samples, milliseconds: performance.now() - started }
}

function sampleMemory(runs: number): MemorySample {
  collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { runs, heap: heapUsed + external, resident: rss }
}

/** By how many bytes a value grew over the samples, by the line that fits them best. */
export function growthOver(samples: readonly MemorySample[], value: 'heap' | 'resident'): number {
  const mean = (of: (sample: MemorySample) => number): number => samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [x, y] = [mean(({ runs }) => runs), mean((sample) => sample[value])]
  const slope = mean((sample) => (sample.runs - x) * (sample[value] - y)) / mean(({ runs }) => (runs - x) ** 2)
  return slope * ((samples.at(-1)?.runs ?? 0) - (samples[0]?.runs ?? 0))
}

/** The traces of a directory, one after the other. */
export async function* readTraces(directory: string): AsyncGenerator<Trace> {
  const store = createDirectoryStore(directory)
  for (const id of await store.list()) {
    const stored = await store.read(id)
    yield decodeTrace(stored?.text ?? '', stored?.file ?? '', digest)
  }
}

/** Notes that runs may have which take turns at a busy disk and in one thread: a write that went out early, and a guess (`shared-calls.ts`). */
const harmless = new Set(['unwritten-call', 'shared-call'])

/** How many side effects of a run went out before their call was written: a busy disk costs that, and a note says so. */
export function unwrittenIn({ rows }: Trace): number {
  return rows.filter((row) => row.kind === 'note' && row.what === 'unwritten-call').length
}

/** What a recording holds that is not its run's, and what it lacks. */
export function faultsOf(trace: Trace, steps: number): string[] {
  const { number } = trace.header.input as BusyInput
  const marker = markerOf(number)
  const foreign = trace.rows.filter((row) => [...markersIn(JSON.stringify(row))].some((found) => found !== marker))
  const numbers = trace.steps.map(({ step }) => step)
  return [
    ...foreign.map((row) => `${marker}: has a row of another run: ${JSON.stringify(row)}`),
    ...trace.rows.flatMap((row) =>
      row.kind === 'note' && !harmless.has(row.what) ? [`${marker}: has a note: ${row.what} ${row.where}`] : [],
    ),
    ...(numbers.length === steps && numbers.every((step, index) => step === index + 1)
      ? []
      : [`${marker}: has the steps ${numbers.join()}`]),
    ...trace.steps.filter(({ settledAt }) => settledAt === undefined).map(({ step }) => `${marker}: step ${step} is in flight`),
    ...(String(trace.end?.output).startsWith(`${marker} made ${steps} steps`) ? [] : [`${marker}: ends with ${String(trace.end?.output)}`]),
  ]
}
