import type { Measured, Suite, SuiteOptions } from '../figures.ts'
import { installPeers } from '../replay/peers/install.ts'
import { measureConversationCpu } from './conversation-cpu.ts'
import { measureCpu, measureCpuOnOldest } from './cpu-cost.ts'
import { measureIngest } from './ingest.ts'
import { measureLogSize } from './log-size.ts'
import { measureLookup } from './lookup.ts'
import { measureProcess } from './process-cost.ts'
import { measureRealRuns } from './real-runs.ts'
import { measureSideEffects } from './side-effects.ts'
import { FULL, QUICK, type Sizes } from './sizes.ts'
import { measureSlowRuns } from './slow-runs.ts'
import { startServer } from './start-server.ts'
import { makeStores } from './stores.ts'

/** What recording takes in production: of the agents' thread, of the slowest runs, and of the disk. */
export const measureRecord: Suite = async (note, options) => {
  const sizes = options.quick ? QUICK : FULL
  if (typeof process.threadCpuUsage !== 'function') throw new Error('The suite needs process.threadCpuUsage: run it on Node 24.')
  const missing = options.quick ? 'a quick run installs nothing to measure against' : installPeers(note)
  using server = await startServer(new URL('server-program.ts', import.meta.url))
  const { port } = server
  await using stack = new AsyncDisposableStack()
  stack.use(await makeStores())
  const cpu = await measureCpu(note, port, sizes, missing === undefined)
  const oldest = await measureCpuOnOldest(note, port, sizes)
  const whole = await measureProcess(note, port, sizes)
  const slow = await measureSlowRuns(note, port, sizes)
  const sideEffects = await measureSideEffects(note, sizes)
  const ingest = await measureIngest(note, port, sizes)
  const bytes = await measureLogSize(note, sizes)
  const conversation = await measureConversationCpu(note, sizes)
  const real = await measureRealRuns(note, sizes)
  const lookup = await measureLookups(note, sizes, options)
  return {
    metrics: {
      ...cpu,
      ...oldest.metrics,
      ...whole.metrics,
      ...slow,
      ...sideEffects,
      ...ingest,
      ...bytes,
      ...conversation,
      ...real.metrics,
      ...lookup.metrics,
    },
    absences: {
      ...(missing === undefined ? {} : { interceptors_cpu: missing, otel_cpu: missing }),
      ...oldest.absences,
      ...whole.absences,
      ...real.absences,
      ...lookup.absences,
    },
    remarks: [
      'CPU of the main thread is process.threadCpuUsage (on Node 22 what Linux says of the thread, to ten milliseconds), from before the first call to after the last; of the whole process process.cpuUsage, until everything is written. Each contestant has a process of its own, in which it stays on; the provider answers from another. V8 collects garbage when it has to, within what is measured; not while a process waits for its turn (--no-memory-reducer), nor is it made to.',
    ],
  }
}

/** Looking for runs among a million; making so many takes minutes. */
async function measureLookups(
  note: (line: string) => void,
  { indexedRuns, lookupRounds }: Sizes,
  { quick, long }: SuiteOptions,
): Promise<Measured> {
  if (!quick && !long) {
    const reason = 'an index of a million runs takes some minutes to make: npm run bench -- record --long'
    return { metrics: {}, absences: { lookup_ms_million_runs: reason } }
  }
  note(`Looking for runs among ${indexedRuns}.`)
  const { slowest, bytesPerRun, byQuery } = await measureLookup(indexedRuns, lookupRounds)
  return {
    metrics: {
      lookup_ms_million_runs: {
        value: slowest.milliseconds,
        unit: 'ms',
        goal: 50,
        against: `the slowest of ${Object.keys(byQuery).length} look-ups for the newest hundred: ${slowest.query}; ${bytesPerRun.toFixed(0)} B a run in the index`,
      },
    },
  }
}
