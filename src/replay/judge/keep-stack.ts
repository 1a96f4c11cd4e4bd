import { areStacksAsync } from '../../run/async-stacks.ts'
import { captureTrail } from '../../run/call-site.ts'
import type { ReplayCall } from '../calls/replay-call.ts'

/**
 * Keeps the stacks of some calls although nothing differs, because they show which of the agent's lines are helpers that make many calls. With
 * asynchronous stacks, keeps all: later findings have no stack of their own (an expired limit, an answer that never comes).
 *
 * @note A stack costs ten microseconds, so the longer a run, the rarer they are.
 */
export function keepStack(call: ReplayCall): void {
  if (areStacksAsync() || isPowerOfTwo(call.number)) call.trail ??= captureTrail()
}

function isPowerOfTwo(number: number): boolean {
  return (number & (number - 1)) === 0
}
