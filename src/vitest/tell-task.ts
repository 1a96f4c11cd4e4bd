import type { TestContext } from 'vitest'
import { statuses } from '../goldens/results/gather.ts'
import type { GoldenResult } from '../goldens/results/golden-result.ts'
import type { ToldResults } from './told.ts'

type Task = TestContext['task']

/** Which attempt at a test its results are of: what was told before it was tried again, or repeated, counts no more. */
const attempts = new WeakMap<Task, string>()

/** Tells the reporter what came of a golden in a test. Of one that is asserted again, the worst counts. */
export function tellTask(task: Task, result: GoldenResult): void {
  const { retryCount = 0, repeatCount = 0 } = task.result ?? {}
  const attempt = `${retryCount} ${repeatCount}`
  const told: ToldResults = attempts.get(task) === attempt ? (task.meta.goldenrun ?? []) : []
  attempts.set(task, attempt)
  const before = told.find(({ file }) => file === result.file)
  const isWorse = before !== undefined && statuses.indexOf(before.status) < statuses.indexOf(result.status)
  task.meta.goldenrun = isWorse ? told : [...told.filter(({ file }) => file !== result.file), result]
}
