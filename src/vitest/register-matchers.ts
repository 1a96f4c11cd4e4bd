import { expect } from 'vitest'
import { tellingMatchers } from '../goldens/telling-matchers.ts'
import type { RunMatchers } from '../matchers/signatures.ts'
import type { VerificationMatchers } from '../travel/verify/to-pass-at-least.ts'

/** The result of an assertion: nothing for a run, a thenable for a promise of a run. The types cannot tell which in both Vitest 4 and 5. */
export type Asserted = void | PromiseLike<void>

// The type parameters of Vitest's `Matchers` differ between versions 4 and 5. Its assertions extend chai's in both.
declare global {
  namespace Chai {
    interface Assertion extends RunMatchers<Asserted>, VerificationMatchers<Asserted> {}
  }
}

expect.extend({ ...tellingMatchers })
