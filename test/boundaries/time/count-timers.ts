import { createHook } from 'node:async_hooks'
import { currentScope } from '../../../src/run/scope.ts'

/** Counts the timers of Node's that runs start while `body` runs. The test runner has timers of its own. */
export async function countTimers<Result>(body: () => Promise<Result>): Promise<{ readonly result: Result; readonly started: number }> {
  let started = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'Timeout' && currentScope() !== undefined) started += 1
    },
  }).enable()
  try {
    return { result: await body(), started }
  } finally {
    hook.disable()
  }
}
