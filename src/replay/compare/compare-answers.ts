import { compareValues } from '../../divergence/compare-inputs.ts'
import type { Divergence } from '../../divergence/divergence.ts'
import { answerIn } from '../../models/dialects.ts'
import { canonical } from '../../trace/hash.ts'
import { omitUndefined } from '../../trace/json.ts'
import type { HttpOutput } from '../../trace/rows.ts'
import type { Step } from '../../trace/trace.ts'
import { toRecorded } from '../../trace/values.ts'
import type { RunDraws } from '../judge/draws/run-draws.ts'
import { comparableError } from '../judge/comparable-outcome.ts'
import { makeDivergence } from '../judge/finding.ts'

/** The difference between two runs' answers to the same call; undefined if there is none. */
export function compareAnswers(a: Step, b: Step, draws: RunDraws, place: number): Divergence | undefined {
  const [expected, received] = [toComparable(a), toComparable(b)]
  const [textOfA, textOfB] = [canonical(expected), canonical(received)]
  if (textOfA === textOfB || draws.areAlike(textOfA, textOfB, place)) return undefined
  const { step, boundary, name } = a
  const fields = { step, position: 'at', boundary, name, expected, received, differences: compareValues(expected, received) } as const
  return makeDivergence('outcome', fields)
}

/**
 * The compared result of a step, in recorded form: a model's text and tool calls; another HTTP answer's status and body; what a function
 * returned or threw. Leaves out provider ids, token counts and headers.
 */
function toComparable({ boundary, name, output, error, settledAt }: Step): unknown {
  if (error !== undefined) return toRecorded({ error: comparableError(error) })
  if (settledAt === undefined) return { never: 'settled' }
  if (boundary === 'tool' || boundary === 'external') return toRecorded({ output })
  const { status, json, text, bytes }: HttpOutput = output ?? {}
  const answer = boundary === 'model' ? answerIn(name, output ?? {}) : undefined
  if (answer === undefined) return toRecorded({ output: omitUndefined({ status, body: json ?? text ?? bytes }) })
  const { text: said, reasoning, refusal, stopReason, error: failure } = answer
  const toolCalls = answer.toolCalls.map((call) => ({ name: call.name, args: call.args }))
  return toRecorded({ output: omitUndefined({ status, text: said, reasoning, refusal, toolCalls, stopReason, error: failure }) })
}
