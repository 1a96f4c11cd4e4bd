import type { Plan } from './plan.ts'
import type { ReplayCalls } from './replay-calls.ts'

/** Whether the next recorded step of this name that no call has taken has this text as its input. */
export function isNextInput({ steps }: Plan, calls: Pick<ReplayCalls, 'all'>, name: string, input: unknown): boolean {
  const taken = new Set(calls.all.map(({ planned }) => planned))
  for (const step of steps.values()) if (step.call.name === name && !taken.has(step)) return step.call.input === input
  return false
}
