import { describeFunctionCall } from '../divergence/describe-call.ts'
import { printValue } from '../divergence/print-value.ts'
import { OptionsError } from '../trace/errors/options-error.ts'
import type { ExpectedCall, MatchContext } from './matcher-types.ts'

/** A call that was made. */
export interface MadeCall {
  readonly name: string
  readonly args: unknown
}

/** Whether a call matches an expected one. */
export function isExpected({ matches }: MatchContext, expected: ExpectedCall, { name, args }: MadeCall): boolean {
  if (typeof expected === 'string') return name === expected
  return name === expected.name && (expected.args === undefined || matches(args, expected.args))
}

/** An expected call as printed. */
export function describeExpected(expected: ExpectedCall): string {
  if (typeof expected === 'string') return expected
  return expected.args === undefined ? expected.name : describeFunctionCall(expected.name, expected.args)
}

/** @throws OptionsError if the value is not a list of names and `{ name, args }`. */
export function checkExpectedCalls(matcher: string, list: unknown): void {
  if (!Array.isArray(list)) throw new OptionsError(matcher, 'sequence', `has to be a list of tool names, got ${printValue(list, 60)}.`)
  for (const expected of list as readonly unknown[]) {
    const name: unknown = typeof expected === 'object' && expected !== null ? Reflect.get(expected, 'name') : expected
    if (typeof name === 'string' && name !== '') continue
    throw new OptionsError(matcher, 'sequence', `has to hold tool names or { name, args }, got ${printValue(expected, 60)}.`)
  }
}

/** @throws OptionsError if the value is not a name. */
export function checkName(matcher: string, what: string, name: unknown): void {
  if (typeof name !== 'string' || name === '') throw new OptionsError(matcher, what, `has to be a name, got ${printValue(name, 60)}.`)
}
