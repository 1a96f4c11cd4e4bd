import picocolors from 'picocolors'
import { expect, it } from 'vitest'
import { formatInspected } from '../../src/cli/inspect/format-inspected.ts'
import type { InspectedScope, InspectedStep } from '../../src/travel/inspect/inspected-run.ts'
import type { Json } from '../../src/trace/json.ts'

const style = { colors: picocolors.createColors(false), width: 100 }

const stepWith = (step: number, variables: Readonly<Record<string, Json>>): InspectedStep => {
  const scopes: InspectedScope[] = [{ kind: 'module', variables }]
  return {
    step,
    boundary: 'tool',
    name: 'look',
    frames: [{ function: 'agent', file: 'agent.ts', line: 1, column: 1, scopes }],
    waiting: [],
  }
}

it('says that a run has no steps', () => {
  expect(formatInspected({ name: 'empty', outcome: 'returned', steps: [] }, style)).toEqual([
    'The run has no steps: the agent made no calls.',
  ])
})

it('says that the replay stopped, and where', () => {
  const printed = formatInspected({ name: 'red', outcome: 'stopped', stoppedAt: 2, steps: [stepWith(1, {})] }, style)
  expect(printed.slice(-2)).toEqual([
    '',
    'The replay diverged from the recorded run at step 2, and stopped. npx goldenrun replay red shows why.',
  ])
})

it('prints variables of a module where they change, and not hundreds of them', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`of_bundle_${index}`, index]))
  const steps = [stepWith(1, { count: 1, fixed: 'a' }), stepWith(2, { count: 2, fixed: 'a' }), stepWith(3, { count: 2, ...many })]
  const printed = formatInspected({ name: 'module', outcome: 'returned', steps }, style)
  const of = (step: number): string[] => {
    const from = printed.indexOf(`Step ${step}  tool look`)
    const to = printed.indexOf('', from)
    return printed.slice(from + 2, to === -1 ? undefined : to)
  }
  expect(of(1)).toEqual(['    count = 1  (module)', '    fixed = "a"  (module)'])
  expect(of(2)).toEqual(['    count = 2  (module)'])
  expect(of(3)).toHaveLength(41)
  expect(of(3).at(-1)).toBe('    … 60 more  (module)')
})
