import type { Trace } from 'goldenrun/replay'
import { startProvider } from '../../examples/world/provider.ts'
import { recordGolden } from './record-golden.ts'
import { createStepsAgent } from './steps-agent.ts'

/** Records a golden with the given number of model calls with JSON answers, one after the other, with bodies of the same size. */
export async function recordCalls(steps: number): Promise<Trace> {
  const turn = { text: 'It left the warehouse this morning and will be with you by tomorrow at noon.' }
  await using provider = await startProvider({ script: () => turn, keepExchanges: false })
  const { trace } = await recordGolden({ input: { steps, streaming: false } }, createStepsAgent({ baseUrl: provider.openaiBaseUrl }))
  return trace
}
