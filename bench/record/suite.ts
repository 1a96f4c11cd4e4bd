import type { Absences, Measured, Suite, SuiteOptions } from '../figures.ts'
import { installPeers } from '../replay/peers/install.ts'
import { measureConversationCpu } from './conversation-cpu.ts'
import { measureCpu, measureCpuOnOldest } from './cpu-cost.ts'
import { measureHeaderSize } from './header-size.ts'
import { measureIngest } from './ingest.ts'
import { measureLogSize } from './log-size.ts'
import { measureLookup } from './lookup.ts'
import { measureProcess } from './process-cost.ts'
import { measureProfile } from './profile.ts'
import { measureRealRuns } from './real-runs.ts'
import { measureSideEffects } from './side-effects.ts'
import { FULL, QUICK, type Sizes } from './sizes.ts'
import { measureSlowRuns } from './slow-runs.ts'
import { startServer } from './start-server.ts'
import { makeStores } from './stores.ts'

/** Measures what recording takes in production: of the agents' thread, of the slowest runs, and of the disk. */
export const measureRecord: Suite = async (note, options) => {
  const sizes = options.quick ? QUICK : FULL
  if (typeof process.threadCpuUsage !== 'function') throw new Error('The suite needs process.threadCpuUsage: run it on Node 24.')
  const missing = options.quick || options.only !== undefined ? 'such a run installs nothing to measure against' : installPeers(note)
  using server = await startServer(new URL('server-program.ts', import.meta.url))
  const { port } = server
  await using stack = new AsyncDisposableStack()
  stack.use(await makeStores())
  const cpuAbsences = missing === undefined ? {} : { interceptors_cpu: missing, otel_cpu: missing }
  /** The parts, in order. */
  const parts: Readonly<Record<string, () => Promise<Measured>>> = {
    cpu: async () => ({ metrics: await measureCpu(note, port, sizes, missing === undefined), absences: cpuAbsences }),
    cpu_oldest: () => measureCpuOnOldest(note, port, sizes),
    process_cpu: () => measureProcess(note, port, sizes),
    slow_runs: async () => ({ metrics: await measureSlowRuns(note, port, sizes) }),
    side_effects: async () => ({ metrics: await measureSideEffects(note, sizes) }),
    ingest: async () => ({ metrics: await measureIngest(note, port, sizes) }),
    bytes: async () => ({ metrics: await measureLogSize(note, sizes) }),
    headers: async () => ({ metrics: await measureHeaderSize(note, sizes.headerRuns) }),
    conversation: async () => ({ metrics: await measureConversationCpu(note, sizes) }),
    real_runs: () => measureRealRuns(note, sizes),
    lookup: () => measureLookups(note, sizes, options),
    profile: () => measureProfile(note, port, sizes),
  }
  const measured: Measured[] = []
  for (const name of choose(Object.keys(parts), options.only)) measured.push((await parts[name]?.()) ?? { metrics: {} })
  return {
    metrics: Object.assign({}, ...measured.map(({ metrics }) => metrics)) as Measured['metrics'],
    absences: Object.assign({}, ...measured.map(({ absences }) => absences)) as Absences,
    rows: measured.flatMap(({ rows = [] }) => rows),
    remarks: [
      'CPU of the main thread is process.threadCpuUsage (on Node 22 what Linux says of the thread, to ten milliseconds), from before the first call to after the last. CPU of the whole process is process.cpuUsage, until everything is written. Each contestant stays on in a process of its own; the provider answers from another process. V8 collects garbage when it has to, which is measured. It does not collect while a process waits for its turn (--no-memory-reducer), and is never made to.',
    ],
  }
}

/** @throws if no part has the word in its name. */
function choose(names: readonly string[], only: string | undefined): readonly string[] {
  const chosen = names.filter((name) => (only === undefined ? name !== 'profile' : name.includes(only)))
  if (chosen.length === 0) throw new Error(`There is no part ${only} of the suite. There are: ${names.join(', ')}.`)
  return chosen
}

/** Finds runs among a million. Creating so many takes minutes. */
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
