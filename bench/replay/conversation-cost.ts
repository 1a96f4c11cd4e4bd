import { replay, type Trace } from 'goldenrun/replay'
import { startProvider } from '../../examples/world/provider.ts'
import type { Metric, Metrics } from '../figures.ts'
import { measureRounds, median, medianRatio } from '../rounds.ts'
import { answerStream } from './answer-in-memory.ts'
import { type ConversationInput, holdConversation, writeAnswer } from './conversation-agent.ts'
import { recordGolden } from './record-golden.ts'
import type { Sizes } from './sizes.ts'

/** An address without a server: answers come from memory or from a trace. */
const NOWHERE = 'http://127.0.0.1:4010/v1'

/** Measures a replayed step when each call resends the whole conversation, compared with the same calls answered by a hand-written `fetch`. */
export async function measureConversations(note: (line: string) => void, { conversations, growthRounds }: Sizes): Promise<Metrics> {
  note(`Measuring conversations of ${conversations.join(', ')} streamed model calls that resend their history.`)
  const metrics: [string, Metric][] = []
  for (const steps of conversations) metrics.push([`conversation_vs_floor_${steps}`, await measureConversation(steps, growthRounds)])
  return Object.fromEntries(metrics)
}

async function measureConversation(steps: number, rounds: Sizes['growthRounds']): Promise<Metric> {
  const golden = await recordConversation(steps)
  const { ours, floor } = await measureRounds({ ours: () => replayConversation(golden), floor: () => answerConversation(golden) }, rounds)
  const perStep = (times: readonly number[]): string => `${((median(times) / steps) * 1000).toFixed(0)} µs`
  return {
    value: medianRatio(ours.wall, floor.wall),
    unit: 'x',
    against:
      `in-memory fetch, one setImmediate an answer and each of its chunks, ${steps} calls that resend their history: ` +
      `${perStep(ours.wall)} a step against ${perStep(floor.wall)} on the wall`,
  }
}

async function recordConversation(steps: number): Promise<Trace> {
  await using provider = await startProvider({ script: ({ turn }) => ({ text: writeAnswer(turn) }), keepExchanges: false })
  const agent = (input: ConversationInput): Promise<number> => holdConversation(input, provider.openaiBaseUrl)
  return (await recordGolden({ input: { steps } }, agent)).trace
}

async function replayConversation(golden: Trace): Promise<void> {
  const { divergences } = await replay(golden, (input: ConversationInput) => holdConversation(input, NOWHERE))
  if (divergences.length > 0) throw new Error(`The measured replay diverged: ${JSON.stringify(divergences[0])}`)
}

/** Checks the answers: different ones would lead to other messages, and a different number of them. */
async function answerConversation(golden: Trace): Promise<void> {
  const answers = golden.steps.map(({ step }) => answerStream(golden, step)).values()
  const messages = await holdConversation(golden.header.input as ConversationInput, NOWHERE, async (input, init) => {
    const answer = answers.next()
    if (answer.done === true) throw new Error('There were more calls than were recorded.')
    return await answer.value(input, init)
  })
  if (messages !== golden.end?.output) throw new Error('The conversation differs from the recorded one.')
}
