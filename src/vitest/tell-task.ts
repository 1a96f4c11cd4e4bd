import type { TestContext } from 'vitest'
import type { GoldenResult } from '../goldens/results/golden-result.ts'
import type { ToldResults } from './told.ts'

type Task = TestContext['task']

/** Which attempt at a test its results are of: what was told before it was tried again, or repeated, counts no more. */
const attempts = new WeakMap<Task, string>()

/** Tells the reporter what came of a golden in a test. */
export function tellTask(task: Task, result: GoldenResult): void {
  const { retryCount = 0, repeatCount = 0 } = task.result ?? {}
  const attempt = `${retryCount} ${repeatCount}`
  const told: ToldResults = attempts.get(task) === attempt ? (task.meta.goldenrun ?? []) : []
  attempts.set(task, attempt)
  task.meta.goldenrun = [...told, result]
}
