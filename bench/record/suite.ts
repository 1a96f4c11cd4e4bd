import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Measured, Suite, SuiteOptions } from '../figures.ts'
import { installPeers } from '../replay/peers/install.ts'
import { measureCpu } from './cpu-cost.ts'
import { measureIngest } from './ingest.ts'
import { measureLogSize } from './log-size.ts'
import { measureLookup } from './lookup.ts'
import { measureRealRuns } from './real-runs.ts'
import { FULL, QUICK, type Sizes } from './sizes.ts'
import { measureSlowRuns } from './slow-runs.ts'

/** What recording takes in production: of the agents' thread, of the slowest runs, and of the disk. */
export const measureRecord: Suite = async (note, options) => {
  const sizes = options.quick ? QUICK : FULL
  if (typeof process.threadCpuUsage !== 'function') throw new Error('The suite needs process.threadCpuUsage: run it on Node 24.')
  const missing = options.quick ? 'a quick run installs nothing to measure against' : installPeers(note)
  const server = spawn(process.execPath, [fileURLToPath(new URL('server-program.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [printed] = (await once(server.stdout, 'data')) as [Buffer]
    const port = Number(printed.toString())
    const cpu = await measureCpu(note, port, sizes, missing === undefined)
    const slow = await measureSlowRuns(note, port, sizes)
    const ingest = await measureIngest(note, port, sizes)
    const bytes = await measureLogSize(note, sizes)
    const real = await measureRealRuns(note, sizes)
    const lookup = await measureLookups(note, sizes, options)
    return {
      metrics: { ...cpu, ...slow, ...ingest, ...bytes, ...real.metrics, ...lookup.metrics },
      absences: {
        ...(missing === undefined ? {} : { interceptors_cpu: missing, otel_cpu: missing }),
        ...real.absences,
        ...lookup.absences,
      },
      remarks: [
        'CPU of the main thread is process.threadCpuUsage, from before the first call to after the last; of the whole process process.cpuUsage, until everything is written. The provider answers from another process, but for the conversations.',
      ],
    }
  } finally {
    server.kill()
  }
}

/** Looking for runs among a million; making so many takes minutes. */
async function measureLookups(
  note: (line: string) => void,
  { indexedRuns, rounds }: Sizes,
  { quick, long }: SuiteOptions,
): Promise<Measured> {
  if (!quick && !long) {
    const reason = 'an index of a million runs takes some minutes to make: npm run bench -- record --long'
    return { metrics: {}, absences: { lookup_ms_million_runs: reason } }
  }
  note(`Looking for runs among ${indexedRuns}.`)
  const { slowest, bytesPerRun, byQuery } = await measureLookup(indexedRuns, rounds)
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
