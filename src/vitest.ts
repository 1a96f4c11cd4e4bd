// oxlint-disable-next-line import/no-unassigned-import -- importing this entry registers the matchers
import './vitest/register-matchers.ts'

export * from './replay.ts'
export type { ExpectedCall, Limits, SequenceOptions, Times } from './matchers/matcher.ts'
export type { RunMatchers } from './matchers/signatures.ts'
