import { isNamedCall, type NamedCall } from './named-urls.ts'
import type { HttpInput } from './rows.ts'
import { isStoreAnswer, readsStore } from './store-reads.ts'

/** A recorded call with its answer. */
export interface AnsweredCall extends NamedCall {
  readonly output?: unknown
}

/**
 * Returns the recorded calls that belong to the process rather than to the run: they were declared so, or they read a prompt or flags. A read that
 * failed does if an equal one was answered later: the client sent it again. Before format 3, reads are like any other call.
 *
 * @param steps In the recorded order.
 * @param names What was declared.
 */
export function ambientSteps<Call extends AnsweredCall>(
  steps: readonly Call[],
  names: readonly string[],
  { format }: { readonly format: number },
): Set<Call> {
  const ambient = new Set<Call>()
  const answered = new Set<string>()
  for (const step of steps.toReversed()) {
    if (isNamedCall(step, names)) ambient.add(step)
    if (format < 3 || !isRead(step)) continue
    const { method, url, headers: _, ...body } = step.input as HttpInput
    const read = JSON.stringify([method, url, body])
    if (isStoreAnswer(step.output)) answered.add(read)
    if (answered.has(read)) ambient.add(step)
  }
  return ambient
}

/** Returns whether a call asked for a prompt or flags. */
function isRead({ boundary, input }: AnsweredCall): boolean {
  return boundary === 'http' && input !== undefined && readsStore(input as HttpInput)
}
