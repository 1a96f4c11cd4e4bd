import { expect, it } from 'vitest'
import { createReport } from '../../src/divergence/create-report.ts'
import { stepBefore } from '../../src/divergence/step-before.ts'
import type { Divergence } from '../../src/divergence/divergence.ts'
import { buildDivergence, buildRun, cancelSteps } from '../matchers/build-run.ts'

it.each<[what: string, fields: Pick<Divergence, 'cause' | 'step' | 'position'>, steps: number[], found: number | undefined]>([
  ['the step itself', { cause: 'input', step: 4, position: 'at' }, [1, 2, 3], 4],
  ['the step before a missing one', { cause: 'missing-call', step: 4, position: 'at' }, [1, 3, 2, 4, 5], 3],
  ['the last step that was made', { cause: 'outcome', step: 9, position: 'after' }, [1, 2, 5], 5],
  ['the step before a checkpoint', { cause: 'checkpoint', step: 2, position: 'after' }, [1, 2, 3], 2],
  ['nothing before the first step', { cause: 'checkpoint', step: 0, position: 'after' }, [1, 2], undefined],
])('finds %s', (_, divergence, steps, found) => {
  expect(stepBefore(divergence, steps)).toBe(found)
})

it.each<[what: string, fields: Partial<Divergence>, made: number, advised: string[]]>([
  ['a changed call', { cause: 'input', step: 3 }, 3, ['debug it --at 3']],
  ['a missing call', { cause: 'missing-call', step: 4 }, 3, ['debug it --at 3']],
  ['a missing first call', { cause: 'missing-call', step: 1 }, 0, []],
  ['an outcome', { cause: 'outcome', step: 5, position: 'after' }, 5, ['debug it --at 5']],
  ['a checkpoint', { cause: 'checkpoint', step: 2, position: 'after' }, 5, ['debug it --at 2']],
  ['a call more, which has no number', { cause: 'unexpected-call', step: 3, position: 'after' }, 3, ['debug it']],
])('advises a debugger that stops at %s', (_, fields, made, advised) => {
  const run = buildRun({ divergences: [buildDivergence(fields)], steps: cancelSteps.slice(0, made) })
  const { advice } = createReport({ ...run, commands: { exec: 'npx', debug: 'debug it' } })
  expect(advice.filter(({ words }) => words === 'To stop there in a debugger:').map(({ command }) => command)).toEqual(advised)
})
