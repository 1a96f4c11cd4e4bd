import type { TestContext } from 'vitest'
import type { GoldenResult } from '../goldens/results/golden-result.ts'
import type { ToldResults } from './told.ts'

type Task = TestContext['task']

/** The attempt that a test's results belong to. Results of earlier attempts (retries, repeats) are dropped. */
const attempts = new WeakMap<Task, string>()

/** Sends the result of a golden in a test to the reporter. */
export function tellTask(task: Task, result: GoldenResult): void {
  const { retryCount = 0, repeatCount = 0 } = task.result ?? {}
  const attempt = `${retryCount} ${repeatCount}`
  const told: ToldResults = attempts.get(task) === attempt ? (task.meta.goldenrun ?? []) : []
  attempts.set(task, attempt)
  task.meta.goldenrun = [...told, result]
}
