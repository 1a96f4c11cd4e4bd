import { startProvider } from '../../examples/world/provider.ts'
import { prepareRebase } from '../../src/replay/goldens/rebase.ts'
import type { Metrics } from '../figures.ts'
import { recordGolden } from '../replay/record-golden.ts'
import { createStepsAgent } from '../replay/steps-agent.ts'

const answer = { text: 'It left the warehouse this morning and will be with you by tomorrow at noon.' }
const steps = 300
const rounds = 5

/** Measures rebasing a golden of 300 steps, each with a different request: the median, in a process that has rebased before. */
export async function measureRebase(note: (line: string) => void, quick: boolean): Promise<Metrics> {
  note(`Rebasing a golden of ${steps} steps.`)
  await using provider = await startProvider({ script: () => answer, keepExchanges: false })
  const recorded = createStepsAgent({ baseUrl: provider.openaiBaseUrl })
  const { trace } = await recordGolden({ input: { steps, streaming: false } }, recorded)
  const agent = createStepsAgent()
  const changed = (input: never): unknown => agent({ ...(input as Parameters<typeof agent>[0]), policy: ' Be kind.' })
  const times: number[] = []
  for (let round = 0; round <= (quick ? 1 : rounds); round += 1) {
    const started = performance.now()
    const { status } = await prepareRebase(trace, changed)
    if (status !== 'rebased') throw new Error(`A golden of ${steps} steps was to be rebased, and is ${status}.`)
    times.push(performance.now() - started)
  }
  const [median = 0] = times
    .slice(1)
    .toSorted((one, other) => one - other)
    .slice(Math.floor((times.length - 1) / 2))
  return { rebase_ms_300: { value: median, unit: 'ms', goal: 1_000 } }
}
