import { expect, it } from 'vitest'
import { formatFigures, type Metric } from '../../bench/figures.ts'
import { replaceSection } from '../../bench/write-figures.ts'

/** What the table says of a metric's goal. */
function verdictOf(metric: Omit<Metric, 'unit' | 'against'>): string | undefined {
  const figures = { suite: 'record', node: '24.0.0', cores: 2, metrics: { measured: { ...metric, unit: 'x', against: 'nothing' } } }
  return /reaches|misses/.exec(formatFigures(figures))?.[0]
}

it('holds the goal against what the median is below, where that is told, else against the value', () => {
  expect(verdictOf({ value: 1.1 })).toBe(undefined)
  expect(verdictOf({ value: 1.1, goal: 1.15 })).toBe('reaches')
  expect(verdictOf({ value: 1.2, goal: 1.15 })).toBe('misses')
  expect(verdictOf({ value: 1.1, goal: 1.15, bound: 1.2 })).toBe('misses')
  expect(verdictOf({ value: 1.1, goal: 1.15, bound: 1.15 })).toBe('reaches')
  expect(verdictOf({ value: 17, goal: 16, better: 'more' })).toBe('reaches')
  expect(verdictOf({ value: 17, goal: 16, better: 'more', bound: 15 })).toBe('misses')
})

it("replaces a suite's section and leaves what is written by hand", () => {
  const page = '# Page\n\nOld head.\n\n## verdicts\n\nold figures\n\n## By hand\n\n| why |\n| --- |\n| so |\n'
  const figures = { suite: 'verdicts', node: '24.0.0', cores: 2, metrics: { runs: { value: 7, unit: 'runs' } } }
  const written = replaceSection(page, '# Page\n\nNew head.\n', figures)
  expect(written).toMatch(/^# Page\n\nNew head\.\n\n## verdicts\n/)
  expect(written).toContain('| runs | 7 runs |')
  expect(written).not.toMatch(/old figures|Old head/)
  expect(written).toMatch(/\n## By hand\n\n\| why \|\n\| --- \|\n\| so \|\n$/)
})
