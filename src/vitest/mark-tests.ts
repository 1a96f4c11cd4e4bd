import { aroundAll, aroundEach, expect } from 'vitest'
import { runTest } from '../goldens/test-work.ts'
import { runInTest } from '../run/scope.ts'

// If this module is imported while a test runs, Vitest cannot register hooks.
try {
  aroundAll((run) => runInTest(run))
  aroundEach((run, { task }) => {
    const { testPath, currentTestName } = expect.getState()
    return runTest(() => runInTest(run), { task, testPath, currentTestName })
  })
} catch {
  // A replay then guards only its run, as with other runners.
}
