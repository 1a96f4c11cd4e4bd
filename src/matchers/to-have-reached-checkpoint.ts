import { printValue } from '../divergence/print-value.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import { checkName } from './expected-call.ts'
import type { Matcher } from './matcher-types.ts'
import { nearest } from './mismatches.ts'

/** The agent reached this checkpoint, with at least this state. */
export const toHaveReachedCheckpoint: Matcher<[name: string, state?: unknown]> = (context, run, name, state) => {
  checkName('toHaveReachedCheckpoint', 'name', name)
  const reached = run.checkpoints.filter((checkpoint) => checkpoint.name === name)
  const found = reached.find((checkpoint) => state === undefined || context.matches(checkpoint.state, state))
  return {
    pass: found !== undefined,
    message: () => {
      const wanted = `checkpoint "${name}"${state === undefined ? '' : ` with the state ${printValue(state, context.width)}`}`
      if (found !== undefined) {
        return `Expected "${nameOf(run)}" not to reach ${wanted}, but it did, with the state ${printValue(found.state, context.width)}.`
      }
      const expectation = `Expected "${nameOf(run)}" to reach ${wanted}.`
      const states = reached.map((checkpoint) => checkpoint.state)
      const near = nearest(context, states, state)
      if (near === undefined) return `${expectation} ${othersOf(run.checkpoints.map((checkpoint) => checkpoint.name))}`
      return [`${expectation} It reached it with a different state:`, ...context.difference(near.value, state)].join('\n')
    },
  }
}

function othersOf(names: readonly string[]): string {
  return names.length === 0 ? 'It reached no checkpoint.' : `It reached: ${[...new Set(names)].join(', ')}.`
}
