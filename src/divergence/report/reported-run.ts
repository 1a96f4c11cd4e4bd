import type { Step, Trace } from '../../trace/trace.ts'
import type { CallSite } from '../../run/call-site.ts'
import type { Divergence } from '../divergence.ts'
import type { Drift } from '../drift.ts'
import type { DrawnValue } from '../drawn-value.ts'
import type { DifferingStack } from '../stack-frames.ts'
import type { NodeEnvs } from '../node-env.ts'
import type { TrustedStandIn } from '../stand-in-places.ts'
import type { UnprovenCredential } from '../unproven-credential.ts'
import type { OverriddenFunction } from '../overridden-function.ts'
import type { MockedModule } from './mocked-module.ts'
import type { NextCommands } from './next-commands.ts'
import type { SinceAccepted } from './tell-since-accepted.ts'

/** The contents of a replay that a report needs. */
export interface ReportedRun {
  readonly trace: Pick<Trace, 'header' | 'steps'>
  readonly outcome: { readonly status: 'returned' | 'threw' | 'stopped' | 'in-flight' }
  /** The earliest first. */
  readonly divergences: readonly Divergence[]
  /** Default: none. */
  readonly drift?: readonly Drift[]
  /** Paths of options that match nothing. Default: none. */
  readonly unmatchedPaths?: readonly string[]
  /** Headers that recordings leave out and that the agent asked for. Default: none. */
  readonly missedHeaders?: readonly string[]
  /** Files that the run changed without a step. Default: none. */
  readonly changedFiles?: readonly string[]
  readonly steps: readonly Step[]
  /** Tools that did not run: the agent got their recorded results. Default: none. */
  readonly stubbedTools?: readonly string[]
  /** Values that were compared only as stand-ins. Default: none. */
  readonly standIns?: readonly TrustedStandIn[]
  /** Credentials that were accepted although they could not be compared. Default: none. */
  readonly credentials?: readonly UnprovenCredential[]
  /** Values that were matched only by the order of their reads from the clock and random sources. Default: none. */
  readonly drawn?: readonly DrawnValue[]
  /** Stacks whose frames were not compared, and differ. Default: none. */
  readonly stacks?: readonly DifferingStack[]
  /** Set if the reads of the clock and random sources do not line up. Default: they do. */
  readonly nodeEnvs?: NodeEnvs
  /** Whether the agent's own work was in progress when recorded answers arrived. Default: it was not. */
  readonly racedOwnWork?: boolean
  /** Calls that outlived the run and cannot be compared. Default: none. */
  readonly lateCalls?: readonly { readonly name: string; readonly site?: CallSite }[]
  /** A replay in another process that did something else. Default: none did. */
  readonly otherReplay?: OtherReplay
  /** The name of the run that was compared with the trace, if it is not a replay. */
  readonly other?: string
  /** How the agent differs from what its accepted runs were made of. Default: that is not known. */
  readonly since?: SinceAccepted | undefined
  /** What a test or another package has replaced since goldenrun was loaded. Default: none. */
  readonly overridden?: readonly OverriddenFunction[]
  /** Modules that the test mocks. Default: none. */
  readonly mocked?: readonly MockedModule[]
  /** The commands to run next, where this was replayed. Default: none. */
  readonly commands?: NextCommands
}

/** A replay in another process, which differs from the reported one. */
export interface OtherReplay {
  /** Its first divergence. Absent if it held. */
  readonly divergence?: Divergence
}

/** How a report looks. */
export interface ReportStyle {
  readonly color: boolean
  /** Characters on a line. */
  readonly width: number
}

/** A check of an incident golden that the run did not pass. */
export interface FailedCheck {
  /** `toHaveNoRepeatedSideEffects()` */
  readonly call: string
  readonly message: string
}

/** A golden's name, or the id of a recording. */
export function nameOf({ trace: { header } }: Pick<ReportedRun, 'trace'>): string {
  return header.golden?.name ?? header.id
}

/** The name in single quotes, for use in code. */
export function quotedName(run: Pick<ReportedRun, 'trace'>): string {
  return `'${nameOf(run).replaceAll("'", String.raw`\'`)}'`
}
