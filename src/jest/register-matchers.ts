import { expect } from '@jest/globals'
import { jestMatchers } from './jest-matchers.ts'
import { runSerializer } from '../matchers/run-serializer.ts'
import type { RunMatchers } from '../matchers/signatures.ts'
import type { VerificationMatchers } from '../travel/verify/to-pass-at-least.ts'
import { tellTestRunner } from '../goldens/test-runner.ts'
import { jestRunner } from './test-runner.ts'

/** The result of an assertion: a promise for a promise of a run. */
export type Asserted<Result, Received> = Received extends PromiseLike<unknown> ? Promise<void> : Result

// Of `@jest/globals`.
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown>
    extends RunMatchers<Asserted<R, T>>, VerificationMatchers<Asserted<R, T>> {}
}

// Of `@types/jest`.
declare global {
  namespace jest {
    interface Matchers<R, T = {}> extends RunMatchers<Asserted<R, T>>, VerificationMatchers<Asserted<R, T>> {}
  }
}

expect.extend({ ...jestMatchers })
expect.addSnapshotSerializer(runSerializer)

tellTestRunner(jestRunner)
