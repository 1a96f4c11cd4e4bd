import { answerIn, dialectNamed } from '../../models/dialects.ts'
import { polledAnswers } from '../../models/polled-answers.ts'
import type { HttpInput } from '../../trace/rows.ts'
import type { Step } from '../../trace/trace.ts'
import type { ModelCall } from '../contract/replayed-run.ts'

/** The model calls among steps, in a common shape for all dialects. A background call has the answer of its last poll. */
export function modelCallsOf(steps: readonly Step[]): ModelCall[] {
  const polled = polledAnswers(steps)
  return steps.flatMap((step): ModelCall[] => {
    const dialect = step.boundary === 'model' ? dialectNamed(step.name) : undefined
    if (dialect === undefined) return []
    const { json, url } = step.input as HttpInput
    const answer = answerIn(step.name, polled.get(step.step) ?? step.output)
    return [{ step: step.step, name: step.name, request: dialect.request(json, url), ...(answer && { answer }) }]
  })
}
