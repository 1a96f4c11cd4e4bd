import { replay, type Trace } from 'goldenrun/replay'
import { startProvider } from '../../examples/world/provider.ts'
import type { Metric, Metrics } from '../figures.ts'
import { measureRounds, median, medianRatio } from '../rounds.ts'
import { answerJson, answerStream, chunksOf } from './answer-in-memory.ts'
import { recordGolden } from './record-golden.ts'
import { createStepsAgent, type StepsAgent, type StepsInput } from './steps-agent.ts'

const STEPS = 200

/** In how many server-sent events a streamed answer comes: those of the text, and three around them. */
const CHUNKS = 20

const ROUNDS = { rounds: 41, warmUp: 8, seconds: 35 }

/** At most half as much again as an in-memory answer. */
const GOAL = 1.5

/** What a replayed step costs, against the same SDK call answered by a `fetch` written by hand. */
export async function measureStepCost(note: (line: string) => void): Promise<Metrics> {
  note(`Recording ${STEPS} model calls with JSON answers, and ${STEPS} with ${CHUNKS} chunks each.`)
  const json = await recordSteps({ steps: STEPS, streaming: false })
  const stream = await recordSteps({ steps: STEPS, streaming: true })
  checkChunks(stream)
  note(`Measuring up to ${ROUNDS.rounds} interleaved rounds.`)
  const agent = createStepsAgent()
  const early = createStepsAgent({ early: true })
  const times = await measureRounds(
    {
      step: () => replaySteps(json, agent),
      earlyStep: () => replaySteps(json, early),
      floor: () => runSteps(createStepsAgent({ fetch: answerJson(json, { yields: true }) }), false),
      unyielding: () => runSteps(createStepsAgent({ fetch: answerJson(json, { yields: false }) }), false),
      streamStep: () => replaySteps(stream, agent),
      earlyStreamStep: () => replaySteps(stream, early),
      streamFloor: () => runSteps(createStepsAgent({ fetch: answerStream(stream) }), true),
    },
    ROUNDS,
  )
  const compare = (of: keyof typeof times, by: keyof typeof times, what: string): Metric => ({
    value: medianRatio(times[of].wall, times[by].wall),
    unit: 'x',
    against:
      `${what}: ${perStep(times[of].wall)} a step against ${perStep(times[by].wall)} on the wall; ` +
      `${medianRatio(times[of].cpu, times[by].cpu).toFixed(2)} x in CPU time`,
  })
  const floor = 'in-memory fetch, one setImmediate an answer'
  const streamFloor = `in-memory fetch, one setImmediate an answer and each of ${CHUNKS} chunks`
  return {
    step_vs_floor: { ...compare('step', 'floor', floor), goal: GOAL },
    stream_step_vs_floor: { ...compare('streamStep', 'streamFloor', streamFloor), goal: GOAL },
    step_vs_unyielding: compare('step', 'unyielding', 'in-memory fetch that never yields'),
    early_client_step_vs_floor: compare('earlyStep', 'floor', `${floor}; client built before the replay`),
    early_client_stream_step_vs_floor: compare('earlyStreamStep', 'streamFloor', `${streamFloor}; client built before the replay`),
  }
}

async function recordSteps(input: StepsInput): Promise<Trace> {
  // Some milliseconds apart, two events do not arrive as one.
  const text = 'It left the warehouse this morning and will be with you by tomorrow at noon.'
  const turn = { text, chunks: CHUNKS - 3, chunkDelayMs: 3 }
  await using provider = await startProvider({ script: () => turn, keepExchanges: false })
  const { trace } = await recordGolden({ input }, createStepsAgent({ baseUrl: provider.openaiBaseUrl }))
  return trace
}

/** A floor with other chunks than the golden's would be none. */
function checkChunks(golden: Trace): void {
  const counts = golden.steps.map(({ step }) => chunksOf(golden, step).length)
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
  if (counts[0] !== CHUNKS || Math.abs(mean - CHUNKS) > 0.2) {
    throw new Error(`The recorded answers came in ${mean} chunks, not in ${CHUNKS}: the machine is too busy to measure on.`)
  }
}

async function replaySteps(golden: Trace, agent: StepsAgent): Promise<void> {
  const { divergences } = await replay(golden, agent)
  if (divergences.length > 0) throw new Error(`The replay that is measured diverged: ${JSON.stringify(divergences[0])}`)
}

async function runSteps(agent: StepsAgent, streaming: boolean): Promise<void> {
  const answers = await agent({ steps: STEPS, streaming })
  if (answers.some((answer) => answer === '')) throw new Error('An in-memory answer was empty.')
}

function perStep(times: readonly number[]): string {
  return `${((median(times) / STEPS) * 1000).toFixed(0)} µs`
}
