// oxlint-disable import/no-unassigned-import -- importing this entry opens the doors, registers the matchers, and says where goldens are
import './vitest/open-doors.ts'
import './vitest/look-beside-test.ts'
import './vitest/register-matchers.ts'
import './vitest/register-serializer.ts'

export * from './replay.ts'
export { replay } from './goldens/replay.ts'
export type { TestReplayOptions } from './goldens/replay.ts'
export { describeGolden } from './vitest/describe-golden.ts'
export type { DescribedGolden } from './goldens/described-golden.ts'
export type { ExpectedCall, Limits, RerunTimes, SequenceOptions, Times } from './matchers/matcher.ts'
export type { Price } from './models/cost.ts'
export type { RunMatchers } from './matchers/signatures.ts'
