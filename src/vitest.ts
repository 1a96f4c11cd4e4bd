// oxlint-disable import/no-unassigned-import -- importing this entry opens the doors and registers the matchers
import './vitest/open-doors.ts'
import './vitest/register-matchers.ts'

export * from './replay.ts'
export type { ExpectedCall, Limits, RerunTimes, SequenceOptions, Times } from './matchers/matcher.ts'
export type { RunMatchers } from './matchers/signatures.ts'
