import { toTauInput } from '../../examples/tau/record-all.ts'
import { createTauAgent, type TauInput } from '../../examples/tau/tau-agent.ts'
import { listTauRuns, loadTauRun, type TauRun } from '../../examples/tau/tau-run.ts'
import { startTauWorld, type TauContext } from '../../examples/tau/tau-world.ts'
import type { Exchange } from '../../examples/world/exchange.ts'
import { startProvider } from '../../examples/world/provider.ts'
import type { Measured, Metric } from '../figures.ts'
import { holdConversation, writeAnswer } from './conversation-agent.ts'
import { recordGolden } from './record-golden.ts'
import type { Sizes } from './sizes.ts'

/** The size of a golden, and of the request and answer bodies that it stands for, in bytes. */
interface Size {
  readonly golden: number
  readonly wire: number
}

/** Measures the size of goldens, compared with what went over the wire. */
export async function measureGoldenSize(note: (line: string) => void, { goldenSteps, goldenRuns }: Sizes): Promise<Measured> {
  note(`Recording a conversation of ${goldenSteps} streamed model calls.`)
  const conversation = toMetric(
    await measureConversation(goldenSteps),
    `bodies on the wire, ${goldenSteps} streamed model calls that resend their history`,
  )
  const runs = listTauRuns().slice(0, goldenRuns).map(loadTauRun)
  if (runs.length === 0) {
    const absences = { golden_bytes_vs_wire: 'the recorded runs that it is measured over are absent' }
    return { metrics: { golden_bytes_vs_wire_300: conversation }, absences }
  }
  note(`Recording ${runs.length} real runs.`)
  const sizes: Size[] = []
  for (const [index, run] of runs.entries()) sizes.push(await measureRun(run, index % 2 === 1))
  const steps = runs.map(({ messages }) => messages.length - 1)
  const what = `bodies on the wire, ${runs.length} real runs of ${Math.min(...steps)} to ${Math.max(...steps)} steps, every other one streamed`
  return { metrics: { golden_bytes_vs_wire: toMetric(addUp(sizes), what), golden_bytes_vs_wire_300: conversation } }
}

async function measureRun(run: TauRun, streaming: boolean): Promise<Size> {
  await using world = await startTauWorld(run)
  const agent = createTauAgent({ streaming })
  const { bytes } = await recordGolden({ input: toTauInput(run), context: world.context }, (input: TauInput, context: TauContext) =>
    agent(input, context),
  )
  return { golden: bytes, wire: wireBytes(world.provider.exchanges) }
}

async function measureConversation(steps: number): Promise<Size> {
  await using provider = await startProvider({ script: ({ turn }) => ({ text: writeAnswer(turn) }) })
  const { bytes } = await recordGolden({ input: { steps } }, (input) => holdConversation(input, provider.openaiBaseUrl))
  return { golden: bytes, wire: wireBytes(provider.exchanges) }
}

function addUp(sizes: readonly Size[]): Size {
  return sizes.reduce((sum, { golden, wire }) => ({ golden: sum.golden + golden, wire: sum.wire + wire }))
}

function toMetric({ golden, wire }: Size, what: string): Metric {
  return { value: golden / wire, unit: 'x', against: `${what}: ${formatBytes(golden)} against ${formatBytes(wire)}` }
}

function wireBytes(exchanges: readonly Exchange[]): number {
  return exchanges.reduce((sum, { bytes, sent }) => sum + bytes.length + sent.reduce((answer, piece) => answer + piece.length, 0), 0)
}

function formatBytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
