import { knownOrMade } from '../../node/remember.ts'
import { agreeingParts } from '../../divergence/nearest.ts'
import type { FieldDifference } from '../../divergence/divergence.ts'
import { withoutStandInNumbers } from '../../divergence/stand-ins.ts'
import { dialectNamed } from '../../models/dialects.ts'
import type { CallRow, HttpInput } from '../../trace/rows.ts'
import { toRecorded } from '../../trace/values.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { PlannedStep } from '../calls/plan.ts'

/** The recorded steps of a call's owner, boundary and name. */
export interface RecordedSteps {
  /** Due steps. The call may be a changed form of one of them. */
  readonly due: readonly PlannedStep[]
  /** Steps that are not due yet. */
  readonly later: readonly PlannedStep[]
  /** Steps that were made. */
  readonly made: readonly PlannedStep[]
}

/** What an unequal call is: a changed form of one of these steps, if any, or a later step. In the latter case, the steps before it were left out. */
export type Standing = { readonly due: readonly PlannedStep[] } | { readonly jumpsTo: PlannedStep }

/** How many future steps are considered. There is a limit because conversations are long. */
const maxLater = 20

/**
 * Decides what an unequal call is. It is a changed form of a due step, unless its system prompt or URL belongs to other recorded steps. If
 * no step is due, it is a similar later step, or an additional call.
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

/**
 * Whether a call is like a step: it only lacks parts of the input, or more of it is equal than different and it is less similar to the last
 * step made.
 */
function isLike(step: PlannedStep, last: PlannedStep | undefined, differences: (step: PlannedStep) => readonly FieldDifference[]): boolean {
  const found = differences(step)
  const { boundary, name, input } = step.call
  if (found.every(isLack)) return true
  if (last !== undefined && differences(last).length <= found.length) return false
  return agreeingParts(boundary, name, toRecorded(input), found).length > found.length
}

/** The same for a recorded step, cached because many calls may be compared with it. */
function askedAt(step: PlannedStep): string {
  return knownOrMade(askedOf, step, () => askedBy({ ...step.call, input: toRecorded(step.call.input) }))
}

const askedOf = new WeakMap<PlannedStep, string>()

/** The target of a call, regardless of its arguments; for a function, its name. */
function askedBy({ boundary, name, input }: Pick<CallRow, 'boundary' | 'name' | 'input'>): string {
  if (boundary === 'tool' || boundary === 'external') return ''
  const { method, url, json } = (input ?? {}) as Partial<HttpInput>
  if (boundary === 'http') return withoutStandInNumbers(`${method} ${url?.split('?', 1)[0]}`)
  const system = dialectNamed(name)?.request(json, url ?? '').system ?? []
  return withoutStandInNumbers(system.join('\n'))
}

/**
 * Whether a call's input only lacks part of a recorded input (a field, an item, words of a text), as in a conversation without one of its
 * tool calls.
 */
function isLack({ expected, received }: FieldDifference): boolean {
  if (typeof received !== 'string' || typeof expected !== 'string') return received === undefined
  const words = expected.split(/\s+/)
  let next = 0
  return received.split(/\s+/).every((word) => word === '' || (next = words.indexOf(word, next) + 1) > 0)
}
