import type { HttpOutput, Usage } from '../trace/rows.ts'
import type { Step } from '../trace/trace.ts'
import type { NormalUsage } from './dialect.ts'
import { dialectNamed } from './dialects.ts'
import { polledAnswers } from './polled-answers.ts'

/** What several model calls used together. Those of which nothing is known count nothing. */
export function sumUsage(usages: Iterable<NormalUsage | undefined>): Usage {
  let [inputTokens, outputTokens] = [0, 0]
  for (const usage of usages) {
    inputTokens += usage?.inputTokens ?? 0
    outputTokens += usage?.outputTokens ?? 0
  }
  return { inputTokens, outputTokens }
}

/** What the model calls among a run's steps used together, by their answers. */
export function usageOfSteps(steps: Iterable<Step>): Usage {
  const all = [...steps]
  const polled = polledAnswers(all)
  return sumUsage(all.map((step) => usageOfStep(step, polled.get(step.step) ?? step.output)))
}

function usageOfStep({ boundary, name }: Step, output: unknown): NormalUsage | undefined {
  if (boundary !== 'model' || !isHttpOutput(output)) return undefined
  const contentType = output.headers?.find(([name]) => name === 'content-type')?.[1]
  return dialectNamed(name)?.answer(output, contentType).usage
}

function isHttpOutput(output: unknown): output is HttpOutput {
  return typeof output === 'object' && output !== null
}
