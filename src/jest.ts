// oxlint-disable import/no-unassigned-import -- importing this entry checks the environment, registers the matchers, and sets where goldens are
import './jest/check-environment.ts'
import './jest/register-matchers.ts'

export * from './replay.ts'
export { replay } from './goldens/test-replay.ts'
export type { TestReplayOptions } from './goldens/test-replay.ts'
export { describeGolden } from './jest/describe-golden.ts'
export type { DescribedGolden } from './goldens/described-golden.ts'
export type { ApprovalOptions, Approved, ExpectedCall, Limits, RerunTimes, SequenceOptions, Times } from './matchers/matcher-types.ts'
export type { Price } from './models/cost.ts'
export type { RunMatchers } from './matchers/signatures.ts'
export type { VerificationMatchers } from './travel/verify/to-pass-at-least.ts'
