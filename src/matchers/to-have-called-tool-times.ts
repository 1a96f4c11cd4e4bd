import { printValue } from '../divergence/print-value.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import { checkKnownOptions, OptionsError } from '../trace/errors/options-error.ts'
import { describeCalls, numberedList, timesOf } from './call-list.ts'
import { checkName } from './expected-call.ts'
import type { Matcher, Times } from './matcher-types.ts'

const NAME = 'toHaveCalledToolTimes'

/** The agent called this tool this many times. */
export const toHaveCalledToolTimes: Matcher<[name: string, times: Times]> = ({ isNot, width }, run, name, times) => {
  checkName(NAME, 'name', name)
  const { min, max } = boundsOf(times)
  const calls = run.toolCalls.filter((call) => call.name === name)
  return {
    pass: calls.length >= min && calls.length <= max,
    message: () => {
      const made =
        calls.length === 0 ? 'it never did.' : `it did ${timesOf(calls.length)}:\n${numberedList(describeCalls(calls), new Map(), width)}`
      return `Expected "${nameOf(run)}" ${isNot ? 'not ' : ''}to call ${name} ${describe(times, min, max)}, but ${made}`
    },
  }
}

function boundsOf(times: Times): { readonly min: number; readonly max: number } {
  if (typeof times === 'number') return { min: checkCount('times', times), max: times }
  if (typeof times !== 'object' || times === null)
    throw new OptionsError(NAME, 'times', `has to be a count or { min, max }, got ${printValue(times, 60)}.`)
  checkKnownOptions(NAME, times, ['min', 'max'])
  if (times.min === undefined && times.max === undefined) throw new OptionsError(NAME, 'times', 'has to name a min or a max.')
  const bounds = { min: checkCount('min', times.min ?? 0), max: times.max === undefined ? Infinity : checkCount('max', times.max) }
  if (bounds.min > bounds.max) throw new OptionsError(NAME, 'times', `has a min of ${bounds.min} above its max of ${bounds.max}.`)
  return bounds
}

function checkCount(option: string, count: unknown): number {
  if (typeof count === 'number' && Number.isInteger(count) && count >= 0) return count
  throw new OptionsError(NAME, option, `has to be a whole number of 0 or more, got ${printValue(count, 60)}.`)
}

function describe(times: Times, min: number, max: number): string {
  if (typeof times === 'number') return timesOf(times)
  if (max === Infinity) return `at least ${timesOf(min)}`
  return times.min === undefined ? `at most ${timesOf(max)}` : `${min} to ${max} times`
}
