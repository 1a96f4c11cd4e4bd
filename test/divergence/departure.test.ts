import { expect, it } from 'vitest'
import { departureBefore } from '../../src/divergence/departure.ts'
import type { Cause, Divergence } from '../../src/divergence/divergence.ts'
import { buildDivergence } from '../matchers/build-run.ts'

const found = (cause: Cause, step: number, position: 'at' | 'after' = 'at'): Divergence => buildDivergence({ cause, step, position })
const made = (...steps: number[]): { step: number }[] => steps.map((step) => ({ step }))

type Case = readonly [what: string, divergences: readonly Divergence[], steps: { step: number }[], departs: boolean]

/** The incident happened at step 5. */
const cases: readonly Case[] = [
  ['a run that did the same', [], made(1, 2, 3, 4, 5, 6), false],
  ['a call more before, and not the step', [found('unexpected-call', 4, 'after'), found('missing-call', 5)], made(1, 2, 3, 4, 7), true],
  ['the step not made', [found('missing-call', 5)], made(1, 2, 3, 4, 6), true],
  ['the step made with another input', [found('input', 5)], made(1, 2, 3, 4, 5, 6), true],
  ['another call in its place, as the last step', [found('input', 4), found('missing-call', 5)], made(1, 2, 3, 4), true],
  ['a call more before, and the step all the same', [found('unexpected-call', 3, 'after')], made(1, 2, 3, 4, 5, 6, 7), false],
  ['a call more after the step', [found('unexpected-call', 5, 'after')], made(1, 2, 3, 4, 5, 7), false],
  ['the step made later', [found('order', 5)], made(1, 2, 3, 4, 5, 6), false],
  ['another checkpoint before', [found('checkpoint', 2, 'after')], made(1, 2, 3, 4, 5, 6), false],
  ['another outcome', [found('outcome', 6, 'after')], made(1, 2, 3, 4, 5, 6), false],
  ['an earlier input changed, and the step all the same', [found('input', 2)], made(1, 2, 3, 4, 5, 6), false],
]

it.each(cases)('tells whether a run departs: %s', (_, divergences, steps, departs) => {
  expect(departureBefore({ divergences, steps }, 5)).toBe(departs ? divergences[0] : undefined)
})
