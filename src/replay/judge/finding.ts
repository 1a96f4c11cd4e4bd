import type { Cause, Divergence } from '../../divergence/divergence.ts'
import type { Plan, PlannedStep } from '../calls/plan.ts'
import { type CallSite, type Trail, isOfAgent, siteOf } from '../../run/call-site.ts'
import type { ReplayRedaction } from '../calls/replay-redaction.ts'
import type { ReplaySettings } from '../contract/replay-options.ts'
import type { CredentialCheck } from './credential-check.ts'
import type { RunDraws } from './draws/run-draws.ts'

/** The dependencies of a verdict on a run. */
export interface JudgedBy {
  readonly plan: Plan
  readonly settings: ReplaySettings
  readonly redaction: ReplayRedaction
  readonly draws: RunDraws
  readonly credentials: CredentialCheck
}

/** A difference, with its place in the trace. */
export interface Finding {
  /** An index into the trace's rows; between two rows for something that the trace does not have. */
  readonly place: number
  readonly divergence: Divergence
}

/** The decision on a call that equals no recorded one. */
export interface UnequalCall extends Finding {
  /** The recorded step that it matches, if any. */
  readonly step?: PlannedStep
  /** Whether the match is allowed despite the difference. */
  readonly isAllowed: boolean
}

/** The fields of a divergence; those that do not apply to its cause are left out. */
export interface DivergenceFields extends Partial<Omit<Divergence, 'site' | 'step' | 'position' | 'cause' | 'consequence'>> {
  readonly step: number
  readonly position: Divergence['position']
  /** The stack of the call. */
  readonly site?: Trail | undefined
}

export function makeDivergence(cause: Cause, { site, ...fields }: DivergenceFields): Divergence {
  const place = site && placeOfCause(cause, siteOf(site))
  return { parts: [], differences: [], nearest: [], ...fields, cause, ...(place && { site: place }), consequence: false }
}

/** A package's line says nothing about the agent, unless the package acts on its own. */
function placeOfCause(cause: Cause, site: CallSite | undefined): CallSite | undefined {
  return cause === 'unrecorded-contact' || isOfAgent(site) ? site : undefined
}

export function byPlace(one: Finding, other: Finding): number {
  return one.place - other.place
}

/** Sorts findings, the earliest first, and marks the others as its consequences. */
export function asVerdict(found: readonly Finding[]): Divergence[] {
  return found.toSorted(byPlace).map(({ divergence }, index) => (index === 0 ? divergence : { ...divergence, consequence: true }))
}

/** The last recorded step that was called before a place; 0 if there is none. */
export function lastStepBefore({ steps }: Plan, place: number): number {
  let last = 0
  for (const [number, step] of steps) if (step.place < place) last = Math.max(last, number)
  return last
}
