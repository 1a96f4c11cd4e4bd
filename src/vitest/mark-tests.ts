import { aroundAll, aroundEach } from 'vitest'
import { runInTest } from '../run/scope.ts'

// If this module is imported while a test runs, Vitest cannot register hooks.
try {
  aroundAll((run) => runInTest(run))
  aroundEach((run) => runInTest(run))
} catch {
  // A replay then guards only its run, as with other runners.
}
