import { replay, type Trace } from 'goldenrun/replay'
import { installDoors } from '../../src/boundaries/doors.ts'
import { startProvider } from '../../examples/world/provider.ts'
import type { Metric, Metrics } from '../figures.ts'
import { measureRounds, median, medianRatio } from '../rounds.ts'
import { answerJson, answerStream, chunksOf } from './answer-in-memory.ts'
import { recordGolden } from './record-golden.ts'
import type { Sizes } from './sizes.ts'
import { createStepsAgent, type StepsAgent, type StepsInput } from './steps-agent.ts'

/** The number of server-sent events in a streamed answer: those of the text, and three around them. */
const CHUNKS = 20

const ANSWER = 'It left the warehouse this morning and will be with you by tomorrow at noon.'

/** At most 50 % more than an in-memory answer. */
const GOAL = 1.5

/** Measures a replayed step, compared with the same SDK call answered by a hand-written `fetch`. */
export async function measureStepCost(note: (line: string) => void, { steps, stepRounds, refusesSpoiled }: Sizes): Promise<Metrics> {
  note(`Recording ${steps} model calls with JSON answers, and ${steps} with ${CHUNKS} chunks each.`)
  const json = await recordSteps({ steps, streaming: false })
  const stream = await recordSteps({ steps, streaming: true })
  if (refusesSpoiled) checkChunks(stream)
  note(`Measuring up to ${stepRounds.rounds} interleaved rounds.`)
  const agent = createStepsAgent()
  // Built before goldenrun is loaded; and as at the top of a module in a test file, where the doors are open before it loads.
  const unprepared = createStepsAgent({ early: true })
  const release = installDoors()
  const early = createStepsAgent({ early: true })
  release()
  const times = await measureRounds(
    {
      step: () => replaySteps(json, agent),
      earlyStep: () => replaySteps(json, early),
      floor: () => runSteps(createStepsAgent({ fetch: answerJson(json, { yields: true }) }), { steps, streaming: false }),
      unyielding: () => runSteps(createStepsAgent({ fetch: answerJson(json, { yields: false }) }), { steps, streaming: false }),
      streamStep: () => replaySteps(stream, agent),
      earlyStreamStep: () => replaySteps(stream, early),
      unpreparedStep: () => replaySteps(json, unprepared),
      unpreparedStreamStep: () => replaySteps(stream, unprepared),
      streamFloor: () => runSteps(createStepsAgent({ fetch: answerStream(stream) }), { steps, streaming: true }),
    },
    stepRounds,
  )
  const perStep = (each: readonly number[]): string => `${((median(each) / steps) * 1000).toFixed(0)} µs`
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
    early_client_step_vs_floor: {
      ...compare('earlyStep', 'floor', `${floor}; client built when its module loads, in a test file`),
      goal: GOAL,
    },
    early_client_stream_step_vs_floor: {
      ...compare('earlyStreamStep', 'streamFloor', `${streamFloor}; client built when its module loads, in a test file`),
      goal: GOAL,
    },
    unprepared_client_step_vs_floor: compare(
      'unpreparedStep',
      'floor',
      `${floor}; client built before goldenrun was loaded: Node's own fetch runs`,
    ),
    unprepared_client_stream_step_vs_floor: compare('unpreparedStreamStep', 'streamFloor', `${streamFloor}; the same`),
  }
}

async function recordSteps(input: StepsInput): Promise<Trace> {
  // Some milliseconds apart, so that two events do not arrive as one.
  const turn = { text: ANSWER, chunks: CHUNKS - 3, chunkDelayMs: 3 }
  await using provider = await startProvider({ script: () => turn, keepExchanges: false })
  const { trace } = await recordGolden({ input }, createStepsAgent({ baseUrl: provider.openaiBaseUrl }))
  return trace
}

/** Checks that the golden has the floor's number of chunks; otherwise it would not be a floor. */
function checkChunks(golden: Trace): void {
  const counts = golden.steps.map(({ step }) => chunksOf(golden, step).length)
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
  if (counts[0] !== CHUNKS || Math.abs(mean - CHUNKS) > 0.2) {
    throw new Error(`The recorded answers came in ${mean} chunks, not in ${CHUNKS}: the machine is too busy to measure on.`)
  }
}

async function replaySteps(golden: Trace, agent: StepsAgent): Promise<void> {
  const { divergences, outcome } = await replay(golden, agent)
  if (divergences.length > 0) throw new Error(`The measured replay diverged: ${JSON.stringify(divergences[0])}`)
  checkAnswers(outcome.status === 'returned' ? outcome.output : [], golden.header.input as StepsInput)
}

/** Checks the answers: answering faster with something else would be a different job. */
function checkAnswers(answers: readonly string[], { steps }: StepsInput): void {
  if (answers.length !== steps || answers.some((answer) => answer !== ANSWER)) throw new Error('The calls were not answered as recorded.')
}

async function runSteps(agent: StepsAgent, input: StepsInput): Promise<void> {
  checkAnswers(await agent(input), input)
}
