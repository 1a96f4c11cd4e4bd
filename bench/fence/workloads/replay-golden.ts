import { loadEntry } from '../built-package.ts'
import { agents, type GoldenName, type RunInput } from './recorded-agents.ts'
import type { Workload } from './workload.ts'

/** How often a golden is replayed, before it is measured and while it is. */
interface Times {
  readonly warmUp: number
  readonly measured: number
}

/** Replays a golden of the working directory, as a test does: it is read from its file each time. */
export function replayGolden(name: GoldenName, { warmUp, measured }: Times): Workload {
  return async ({ folder }) => {
    const { replay } = await loadEntry(folder, 'replay')
    const { agent, steps } = agents[name]
    const replayTimes = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        const { divergences } = await replay(`golden-traces/${name}.jsonl`, (input: RunInput) => agent(input))
        if (divergences.length > 0) throw new Error(`The replay of ${name} diverged: ${JSON.stringify(divergences[0])}`)
      }
    }
    await replayTimes(warmUp)
    return { units: measured * steps, run: () => replayTimes(measured) }
  }
}
