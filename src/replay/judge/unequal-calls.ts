import { isDefaultOfClient, isOtherVersion, isPinnedVersion } from '../../divergence/client-version.ts'
import type { FieldDifference, NearCall } from '../../divergence/divergence.ts'
import { loadTimeUntilNow, nameModuleDates } from '../../divergence/module-date.ts'
import { nearestCalls } from '../../divergence/nearest.ts'
import { toRecorded } from '../../trace/values.ts'
import { differsOnlyAt, lackedResult, resultTexts } from '../../divergence/step-result.ts'
import { toStep } from '../calls/planned-step.ts'
import type { PlannedStep } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import { ownZone } from '../engine/surroundings.ts'
import type { CallOrder } from './call-order.ts'
import { type JudgedBy, type UnequalCall, lastStepBefore, makeDivergence } from './finding.ts'
import type { TimeLimits } from './time-limits.ts'
import { markDrawn } from './value-comparison.ts'

/** The dependencies of `UnequalCalls`. */
interface UnequalParts extends JudgedBy {
  readonly limits: TimeLimits
  readonly order: CallOrder
  /** The current place of the replay. */
  readonly here: () => number
}

/** Compares calls that equal no recorded one with the recorded calls. */
export class UnequalCalls {
  readonly #parts: UnequalParts
  /** Modules that the run loads read the run's clock. */
  readonly #loaded = loadTimeUntilNow(ownZone)

  constructor(parts: UnequalParts) {
    this.#parts = parts
  }

  /** Where a call's input differs from a recorded step's. */
  differencesFrom(call: ReplayCall, step: PlannedStep): readonly FieldDifference[] {
    return this.#nearest(call, [step])[0]?.differences ?? []
  }

  /** The same, without differences between drawn values. */
  changesFrom(call: ReplayCall, step: PlannedStep): readonly FieldDifference[] {
    return markDrawn(this.differencesFrom(call, step), this.#parts.draws).filter(({ drawn }) => drawn !== true)
  }

  /**
   * Whether a call lacks nothing of a step but the results of steps that were not made. @param how Whether it has to be the same around them.
   */
  lacksSkipped(call: ReplayCall, step: PlannedStep, how: 'at all' | 'only'): boolean {
    const { plan, order } = this.#parts
    const skipped = [...plan.steps.values()].filter((one) => (one.settledPlace ?? Infinity) < step.place && !order.isMade(one))
    const results = skipped.flatMap((one) => resultTexts(toStep(one)))
    const lacks = (difference: FieldDifference): boolean => {
      const result = lackedResult(difference, results)
      return result !== undefined && (how === 'at all' || differsOnlyAt(difference, result))
    }
    const changes = results.length === 0 ? [] : this.changesFrom(call, step)
    return changes.length > 0 && changes.every(lacks)
  }

  /** A call as a changed form of the nearest due step. Undefined if none is due. */
  changed(call: ReplayCall, due: readonly PlannedStep[]): UnequalCall | undefined {
    const [nearest] = this.#nearest(call, due)
    const step = due.find((candidate) => candidate.call.step === nearest?.step)
    if (step === undefined || nearest === undefined) return undefined
    const found = nearest.differences
    const { draws } = this.#parts
    const ofClient = this.#differencesOfClient(call, step, found)
    const refused = found.filter(
      (difference) =>
        !ofClient.has(difference) && (difference.part !== 'model' || !this.#isAllowed(difference.expected, difference.received)),
    )
    const isAllowed = found.length > 0 && refused.length === 0
    const differences = markDrawn(nameModuleDates(isAllowed ? found : refused, this.#loaded, draws), draws)
    const keptBefore = isAllowed ? undefined : this.#keptBefore(step, differences)
    const parts = [...new Set(differences.flatMap(({ part }) => (part === undefined ? [] : [part])))]
    const drifts = parts.length === 1 && parts[0] === 'model'
    const divergence = makeDivergence(drifts ? 'model-drift' : 'input', {
      step: step.call.step,
      position: 'at',
      boundary: call.boundary,
      name: call.name,
      parts,
      differences,
      expected: toRecorded(step.call.input),
      received: call.input?.value,
      site: call.trail,
      ...(keptBefore !== undefined && { keptBefore }),
    })
    return { place: step.place, divergence, step, isAllowed }
  }

  /** The header that the recorded process had from an earlier run, if the call lacks only such headers. */
  #keptBefore({ call }: PlannedStep, differences: readonly FieldDifference[]): string | undefined {
    const foreign = new Set((call.credentials ?? []).filter((one) => this.#parts.credentials.isForeign(one)).map(({ at }) => at))
    const isKept = ({ part, path, received }: FieldDifference): boolean => {
      if (received !== undefined) return false
      const name = /^headers(?:\.([\w]+)|\["([^"]+)"\])/.exec(path)
      const header = name?.[1] ?? name?.[2] ?? ''
      if (part === 'headers') return header === 'if-none-match' || header === 'if-modified-since'
      return part === 'credential' && [...foreign].some((at) => at === header || at.startsWith(`${header}.`))
    }
    return differences.length > 0 && differences.every(isKept) ? differences[0]?.path : undefined
  }

  /**
   * The differences that a new version of the client makes by itself: another pinned version of the API and a key that moved to another header, which
   * are drift, and its own defaults.
   */
  #differencesOfClient({ input }: ReplayCall, step: PlannedStep, found: readonly FieldDifference[]): ReadonlySet<FieldDifference> {
    if (!isOtherVersion(step.client, input?.client)) return new Set()
    const moved = found.filter(
      ({ part, expected, received }) => part === 'credential' && (expected === undefined || received === undefined),
    )
    const recorded = (step.call.credentials ?? []).filter(({ at }) => !input?.credentials.some((made) => made.at === at))
    const made = (input?.credentials ?? []).filter(({ at }) => !step.call.credentials?.some((credential) => credential.at === at))
    const isMoved =
      recorded.length === made.length && recorded.every((one, index) => made[index] && this.#parts.credentials.isMoved(one, made[index]))
    return new Set([
      ...found.filter((difference) => isPinnedVersion(difference) || isDefaultOfClient(difference)),
      ...(isMoved ? moved : []),
    ])
  }

  /** A call as one that the trace does not have. */
  unexpected(call: ReplayCall): UnequalCall {
    const { plan, order, limits } = this.#parts
    const madeAt = order.placeOf(call)
    const place = call.isLate ? Math.max(madeAt, plan.endPlace) : madeAt
    limits.makesExtra(call, (limited) => isAlike(limited, call) && this.differencesFrom(call, limited).length === 0)
    const alike = [...plan.steps.values()].filter((step) => isAlike(step, call))
    const divergence = makeDivergence('unexpected-call', {
      step: lastStepBefore(plan, place),
      position: 'after',
      boundary: call.boundary,
      name: call.name,
      received: call.input?.value,
      nearest: this.#nearest(call, alike, false),
      site: call.trail,
    })
    return { place, divergence, isAllowed: false }
  }

  /** @param isUnequal Whether the call is known to equal none of the steps. */
  #nearest({ boundary, name, input }: ReplayCall, steps: readonly PlannedStep[], isUnequal = true): NearCall[] {
    const { settings, redaction, draws, credentials, here } = this.#parts
    const candidates = steps.map(({ call }) => ({ ...call, input: toRecorded(call.input) }))
    const byStep = new Map(steps.map((step) => [step.call.step, step]))
    const inWhoseName = (number: number): readonly FieldDifference[] => {
      const step = byStep.get(number)
      return step === undefined ? [] : credentials.differences({ input }, step)
    }
    const nearest = (value: unknown): NearCall[] =>
      nearestCalls({ boundary, name, input: value }, candidates, settings.rules, redaction.renaming, inWhoseName)
    return draws.compare(input?.value, here(), nearest, ([first]) => isUnequal && first?.differences.length === 0)
  }

  #isAllowed(expected: unknown, received: unknown): boolean {
    return this.#parts.settings.allowModelDrift.some(({ from, to }) => from === expected && to === received)
  }
}

/** Whether a call has the boundary and the name of a step. */
export function isAlike({ call }: PlannedStep, { boundary, name }: ReplayCall): boolean {
  return call.boundary === boundary && call.name === name
}
