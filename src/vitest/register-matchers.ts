import { expect } from 'vitest'
import { tellingMatchers } from '../goldens/telling-matchers.ts'
import type { RunMatchers } from '../matchers/signatures.ts'

/**
 * What an assertion gives: nothing for a run, something to await for a promise of one. Which of the two cannot be told by the types of both
 * Vitest 4 and 5.
 */
export type Asserted = void | PromiseLike<void>

// Vitest's own `Matchers` has other type parameters in version 4 than in version 5. Its assertions extend chai's in both.
declare global {
  namespace Chai {
    interface Assertion extends RunMatchers<Asserted> {}
  }
}

expect.extend({ ...tellingMatchers })
