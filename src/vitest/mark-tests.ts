import { aroundAll, aroundEach } from 'vitest'
import { runInTest } from '../run/scope.ts'

// If this is imported while a test runs, Vitest cannot register hooks.
try {
  aroundAll((run) => runInTest(run))
  aroundEach((run) => runInTest(run))
} catch {
  // Then a replay guards only its run, as with other runners.
}
