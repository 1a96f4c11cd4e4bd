import { areStacksAsync } from '../../run/async-stacks.ts'
import { captureTrail } from '../../run/call-site.ts'
import type { ReplayCall } from '../calls/replay-call.ts'

/**
 * Keeps the stacks of some calls although nothing differs, because they show which of the agent's lines are helpers that make many calls, and after
 * which call a run ends that should have made one or two more. With asynchronous stacks, keeps all: later findings have no stack of their own (an
 * expired limit, an answer that never comes).
 *
 * @param recorded How many calls the recorded run made.
 * @note A stack costs tens of microseconds, so the longer a run, the rarer they are.
 */
export function keepStack(call: ReplayCall, recorded: number): void {
  const left = recorded - call.number
  if (areStacksAsync() || isPowerOfTwo(call.number) || left === 1 || left === 2) call.trail ??= captureTrail()
}

function isPowerOfTwo(number: number): boolean {
  return (number & (number - 1)) === 0
}
