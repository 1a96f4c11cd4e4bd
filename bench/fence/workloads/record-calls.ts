import { mkdtempSync } from 'node:fs'
import { loadEntry } from '../built-package.ts'
import { askModel } from './ask-model.ts'
import type { Workload } from './workload.ts'

/** What is recorded, and how many runs of it, before they are measured and while they are. */
interface RecordedCalls {
  /** The beginning of the provider's path, which decides how it answers. */
  readonly path: 'json' | 'sse'
  readonly content: string
  readonly warmUp: number
  readonly measured: number
}

/** The number of calls in a run, one after the other. */
const CALLS = 5

/** The number of runs at a time, as in a server. A thread that waits for each answer is switched off and on, which costs more on a busy machine. */
const AT_ONCE = 8

/** Records runs of an agent, until everything is written. The figures include the calls themselves. */
export function recordCalls({ path, content, warmUp, measured }: RecordedCalls): Workload {
  return async ({ folder, provider }) => {
    const { createRecorder } = await loadEntry(folder, 'index')
    const agent = async (): Promise<void> => {
      for (let call = 0; call < CALLS; call += 1) {
        await askModel({ baseUrl: `${provider}/${path}`, messages: [{ role: 'user', content }], streamed: path === 'sse' })
      }
    }
    const record = async (runs: number): Promise<void> => {
      // A store of its own, so that none finds the runs of a process before it. A busy machine is slow, and everything has to be written.
      const recorder = createRecorder({ store: mkdtempSync('runs-'), limits: { closeMilliseconds: 600_000 } })
      let begun = 0
      const runInTurn = async (): Promise<void> => {
        while (begun < runs) await recorder.run({ agent: 'fence', input: begun++ }, agent)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, runInTurn))
      await recorder.close()
      const { recorded, failed, cut } = recorder.stats()
      if (recorded !== runs || failed > 0 || cut > 0) throw new Error(`The fence lost recordings: ${JSON.stringify(recorder.stats())}`)
    }
    await record(warmUp)
    return { units: measured * CALLS, run: () => record(measured) }
  }
}
