import { agreeingParts } from '../../divergence/agreeing-parts.ts'
import type { FieldDifference } from '../../divergence/divergence.ts'
import { withoutStandInNumbers } from '../../divergence/stand-ins.ts'
import { dialectNamed } from '../../models/dialects.ts'
import type { CallRow, HttpInput } from '../../trace/rows.ts'
import { toRecorded } from '../../trace/values.ts'
import { lacksOnly } from './lacks-only.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { PlannedStep } from '../calls/plan.ts'

/** The recorded steps of a call's owner, boundary and name. */
export interface RecordedSteps {
  /** Those that it may be a changed one of: their turn has come. */
  readonly due: readonly PlannedStep[]
  /** Those whose turn has yet to come. */
  readonly later: readonly PlannedStep[]
  /** Those that were made. */
  readonly made: readonly PlannedStep[]
}

/** What an unequal call stands for: a changed one of these steps, if any, or a later step, before which others were left out. */
export type Standing = { readonly due: readonly PlannedStep[] } | { readonly jumpsTo: PlannedStep }

/** Conversations are long: so many steps that are still to come are looked at. */
const maxLater = 20

/**
 * What an unequal call is. It is a changed one of the steps that are due, unless it asks what they do not and other recorded steps do (by its
 * system prompt, by its address). Where none is due, it is the later step that it is like, or one call more.
 *
 * @param differences Where its input differs from a recorded step's.
 */
export function standingOf(
  call: ReplayCall,
  { due, later, made }: RecordedSteps,
  differences: (step: PlannedStep) => readonly FieldDifference[],
): Standing {
  const asked = askedBy({ ...call, input: call.input?.value })
  const asksTheSame = (step: PlannedStep): boolean => askedAt(step) === asked
  if (due.some(asksTheSame)) return { due }
  const candidates: PlannedStep[] = []
  for (const step of later) {
    if (candidates.length === maxLater) break
    if (asksTheSame(step)) candidates.push(step)
  }
  const [next] = candidates.toSorted((a, b) => differences(a).length - differences(b).length)
  if (due.length > 0) {
    if (next !== undefined) return { jumpsTo: next }
    return { due: made.some(asksTheSame) ? [] : due }
  }
  const last = made.findLast(asksTheSame)
  return next !== undefined && isLike(next, last, differences) ? { jumpsTo: next } : { due: [] }
}

/** Whether a call is like a step: it lacks some of its input, or more of it is the same than is not, and it is not as like the last one made. */
function isLike(step: PlannedStep, last: PlannedStep | undefined, differences: (step: PlannedStep) => readonly FieldDifference[]): boolean {
  const found = differences(step)
  const { boundary, name, input } = step.call
  if (lacksOnly(found)) return true
  if (last !== undefined && differences(last).length <= found.length) return false
  return agreeingParts(boundary, name, toRecorded(input), found).length > found.length
}

/** The same of a recorded step, worked out once: many a call may be held against it. */
function askedAt(step: PlannedStep): string {
  let asked = askedOf.get(step)
  if (asked === undefined) askedOf.set(step, (asked = askedBy({ ...step.call, input: toRecorded(step.call.input) })))
  return asked
}

const askedOf = new WeakMap<PlannedStep, string>()

/** What a call asks for, whatever it is given: a function's name says it all. */
function askedBy({ boundary, name, input }: Pick<CallRow, 'boundary' | 'name' | 'input'>): string {
  if (boundary === 'tool' || boundary === 'external') return ''
  const { method, url, json } = (input ?? {}) as Partial<HttpInput>
  if (boundary === 'http') return withoutStandInNumbers(`${method} ${url?.split('?', 1)[0]}`)
  const system = dialectNamed(name)?.request(json, url ?? '').system ?? []
  return withoutStandInNumbers(system.join('\n'))
}
