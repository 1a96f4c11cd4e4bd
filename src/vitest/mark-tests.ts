import { aroundAll, aroundEach } from 'vitest'
import { runInTest } from '../run/scope.ts'

// Where this is imported while a test runs, Vitest has no file to put hooks on.
try {
  aroundAll((run) => runInTest(run))
  aroundEach((run) => runInTest(run))
} catch {
  // Then a replay guards its run, as in a test of another runner.
}
