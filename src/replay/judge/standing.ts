import { knownOrMade } from '../../trace/remember.ts'
import { agreeingParts } from '../../divergence/nearest.ts'
import type { FieldDifference } from '../../divergence/divergence.ts'
import { type KnownStandIns, type StandInSides, withoutStandIns } from '../../divergence/stand-ins.ts'
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

/** How an unequal call is compared with a recorded step. */
export interface ComparedWith {
  /** Where its input differs. */
  changesFrom(step: PlannedStep): readonly FieldDifference[]
  /** Whether it lacks nothing but the results of steps that were not made. `only`: and is the same around them. */
  lacksSkipped(step: PlannedStep, how: 'at all' | 'only'): boolean
}

/**
 * Decides what an unequal call is. It is a changed form of a due step, unless its system prompt or URL belongs to other recorded steps, or it is a
 * later step that lacks what the steps before it would have given it. If no step is due, it is a similar later step, or an additional call.
 *
 * @param sides The stand-ins of both runs.
 */
export function standingOf(
  call: ReplayCall,
  { due, later, made }: RecordedSteps,
  { changesFrom: differences, lacksSkipped }: ComparedWith,
  sides: StandInSides,
): Standing {
  const asked = askedBy({ ...call, input: call.input?.value }, sides.live)
  const asksTheSame = (step: PlannedStep): boolean => askedAt(step, sides.recorded) === asked
  const candidates: PlannedStep[] = []
  for (const step of later) {
    if (candidates.length === maxLater) break
    if (asksTheSame(step)) candidates.push(step)
  }
  const fewest = Math.min(...due.filter(asksTheSame).map((step) => differences(step).length))
  const isLaterOne = (step: PlannedStep): boolean =>
    fewest === Infinity
      ? lacksSkipped(step, 'at all')
      : lacksSkipped(step, 'only') || (differences(step).length < fewest && lacksSkipped(step, 'at all'))
  const skipsTo = candidates.find(isLaterOne)
  if (skipsTo !== undefined) return { jumpsTo: skipsTo }
  if (fewest < Infinity) return { due }
  const [next] = candidates.toSorted((a, b) => differences(a).length - differences(b).length)
  if (due.length > 0) {
    if (next !== undefined) return isNextOf(call, differences(next)) ? { jumpsTo: next } : { due: [] }
    return { due: made.some(asksTheSame) ? [] : due.filter((step) => mayBeChanged(call, step)) }
  }
  const last = made.findLast(asksTheSame)
  return next !== undefined && isLike(next, last, differences) ? { jumpsTo: next } : { due: [] }
}

/**
 * Whether a call that repeats an earlier one may still be this step: it differs only in headers (the range of a file) or lacks a field (the flag of a
 * retry). A model call that lacks messages is the earlier one, made again.
 */
export function hardlyDiffers({ boundary }: Pick<ReplayCall, 'boundary'>, differences: readonly FieldDifference[]): boolean {
  const isLacking = ({ received }: FieldDifference): boolean => boundary !== 'model' && received === undefined
  return differences.every((each) => each.part === 'headers' || each.part === 'credential' || isLacking(each))
}

/** Whether a call may be a changed form of a due step. A request with another method to another path has nothing of it but the host. */
function mayBeChanged({ boundary, input }: ReplayCall, { call }: PlannedStep): boolean {
  if (boundary !== 'http') return true
  const [made, recorded] = [input?.value as Partial<HttpInput> | undefined, call.input as Partial<HttpInput>]
  return made?.method === recorded.method || pathOf(made) === pathOf(recorded)
}

function pathOf(request: Partial<HttpInput> | undefined): string | undefined {
  return request?.url?.split('?', 1)[0]
}

/**
 * Whether a call of an agent whose turn comes later is that agent's recorded step, made without the steps before it. Agents are told apart by their
 * system prompts. It is that step if it lacks some of the step's input, or says mostly the same. Otherwise it is an extra call.
 */
function isNextOf({ boundary }: ReplayCall, found: readonly FieldDifference[]): boolean {
  return boundary !== 'model' || found.every(isLack) || found.some(isReworded)
}

/** Whether a text has at least half of its words in common with the recorded one. A value that is no text is a small change. */
function isReworded({ expected, received }: FieldDifference): boolean {
  if (typeof expected !== 'string' || typeof received !== 'string') return true
  const [before, after] = [expected, received].map((text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu)))
  const common = [...(after ?? [])].filter((word) => before?.has(word) === true).length
  return common * 2 >= Math.max(before?.size ?? 0, after?.size ?? 0)
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
function askedAt(step: PlannedStep, standIns: KnownStandIns): string {
  return knownOrMade(askedOf, step, () => askedBy({ ...step.call, input: toRecorded(step.call.input) }, standIns))
}

const askedOf = new WeakMap<PlannedStep, string>()

/** The target of a call, regardless of its arguments; for a function, its name. */
function askedBy({ boundary, name, input }: Pick<CallRow, 'boundary' | 'name' | 'input'>, standIns: KnownStandIns): string {
  if (boundary === 'tool' || boundary === 'external') return ''
  const { method, url, json } = (input ?? {}) as Partial<HttpInput>
  if (boundary === 'http') return withoutStandIns(`${method} ${pathOf(input as Partial<HttpInput>) ?? ''}`, standIns)
  const system = dialectNamed(name)?.request(json, url ?? '').system ?? []
  return withoutStandIns(system.join('\n'), standIns)
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
