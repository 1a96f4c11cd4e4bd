import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Suite } from '../figures.ts'
import { measureCpu } from './cpu-cost.ts'
import { measureLogSize } from './log-size.ts'
import { measureLookup } from './lookup.ts'
import { FULL, QUICK } from './sizes.ts'
import { measureSlowRuns } from './slow-runs.ts'

/** What recording takes in production: of the agents' thread, of the slowest runs, and of the disk. */
export const measureRecord: Suite = async (note, options) => {
  const sizes = options.quick ? QUICK : FULL
  if (typeof process.threadCpuUsage !== 'function') throw new Error('The suite needs process.threadCpuUsage: run it on Node 24.')
  const server = spawn(process.execPath, [fileURLToPath(new URL('server-program.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [printed] = (await once(server.stdout, 'data')) as [Buffer]
    const port = Number(printed.toString())
    const cpu = await measureCpu(note, port, sizes)
    const slow = await measureSlowRuns(note, port, sizes)
    const bytes = await measureLogSize(note, sizes)
    note(`${sizes.indexedRuns} runs in an index`)
    const lookup = await measureLookup(sizes.indexedRuns, sizes.rounds)
    return {
      metrics: {
        ...cpu,
        ...slow,
        ...bytes,
        lookup_ms_million_runs: {
          value: lookup.slowest.milliseconds,
          unit: 'ms',
          against: `the slowest: ${lookup.slowest.query}`,
          goal: 50,
        },
      },
      absences: {
        interceptors_cpu: '@mswjs/interceptors is not measured beside it yet',
        otel_cpu: '@ai-sdk/otel is not measured beside it yet',
        ingest_runs_per_second: 'not measured yet',
      },
      remarks: [
        'CPU of the main thread is process.threadCpuUsage, from before the first call to after the last; of the whole process process.cpuUsage, until everything is written. The provider answers from another process, but for the conversations.',
      ],
    }
  } finally {
    server.kill()
  }
}
