import type { Usage } from '../trace/rows.ts'
import { atOnce } from '../trace/slices.ts'
import type { Step } from '../trace/trace.ts'
import type { NormalUsage } from './dialect.ts'
import { answerIn } from './dialects.ts'
import { polledAnswers } from './polled-answers.ts'

/** Adds up the usage of several model calls. Unknown usage counts as none. */
export function sumUsage(usages: Iterable<NormalUsage | undefined>): Usage {
  let [inputTokens, outputTokens] = [0, 0]
  for (const usage of usages) {
    inputTokens += usage?.inputTokens ?? 0
    outputTokens += usage?.outputTokens ?? 0
  }
  return { inputTokens, outputTokens }
}

/** Adds up the usage of all model calls among a run's steps, by their answers. */
export function usageOfSteps(steps: Iterable<Step>): Usage {
  return atOnce(addingUsage(steps))
}

/** Like `usageOfSteps`, in slices, because answers have to be read. */
export function* addingUsage(steps: Iterable<Step>): Generator<undefined, Usage> {
  const all = [...steps]
  const polled = polledAnswers(all)
  const usages: (NormalUsage | undefined)[] = []
  for (const { step, boundary, name, output } of all) {
    usages.push(boundary === 'model' ? answerIn(name, polled.get(step) ?? output)?.usage : undefined)
    if (usages.length % readInASlice === 0) yield
  }
  return sumUsage(usages)
}

const readInASlice = 20
