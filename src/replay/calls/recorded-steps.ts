import { type KnownStandIns, withoutStandIns } from '../../divergence/stand-ins.ts'
import type { RecordedAnswer, RecordedSteps } from '../../run/active-run.ts'
import { omitUndefined } from '../../trace/json.ts'
import { copyValue, fromRecorded, toRecorded } from '../../trace/values.ts'
import type { Plan, PlannedStep } from './plan.ts'
import type { ReplayCalls } from './replay-calls.ts'
import type { ReplayRedaction } from './replay-redaction.ts'

/** The parts of a replay that are used here. */
interface Replay {
  readonly plan: Pick<Plan, 'steps'>
  readonly calls: Pick<ReplayCalls, 'all'>
  readonly redaction: Pick<ReplayRedaction, 'toRecorded' | 'renaming'>
}

/** Finds the recorded steps of a replay by their inputs. */
export class FoundSteps implements RecordedSteps {
  readonly #replay: Replay
  readonly #taken = new Set<PlannedStep>()
  #named: ReadonlyMap<string, readonly PlannedStep[]> | undefined
  /** Calls that may still turn out to be a recorded step. */
  #open: ReplayCalls['all'] = []
  #seen = 0

  /** @param replay Read on the first request, because its parts may be created later. */
  constructor(replay: Replay) {
    this.#replay = replay
  }

  isNext(name: string, input: unknown): boolean {
    this.#take()
    return this.#of(name).find((step) => !this.#taken.has(step))?.call.input === input
  }

  find(...[name, fields, which, isReserved]: Parameters<RecordedSteps['find']>): RecordedAnswer | undefined {
    const steps = this.#of(name)
    if (steps.length === 0) return undefined
    if (which === 'untaken') this.#take()
    const isWanted = having(fields, this.#replay.redaction)
    const found = steps.find((step) => {
      if (which === 'untaken' && this.#taken.has(step)) return false
      return isReserved?.(step.call.step) !== true && isWanted(step.call.input)
    })
    return found === undefined ? undefined : toAnswer(found)
  }

  #of(name: string): readonly PlannedStep[] {
    this.#named ??= Map.groupBy(this.#replay.plan.steps.values(), ({ call }) => call.name)
    return this.#named.get(name) ?? []
  }

  #take(): void {
    const fresh = this.#replay.calls.all.slice(this.#seen)
    this.#seen += fresh.length
    this.#open = [...this.#open, ...fresh].filter(({ planned }) => {
      if (planned !== undefined) this.#taken.add(planned)
      return planned === undefined
    })
  }
}

/** Returns a function that checks whether an input has these fields, compared in recorded form. Stand-ins are variables. */
function having(fields: Readonly<Record<string, unknown>>, redaction: Replay['redaction']): (input: unknown) => boolean {
  let redacted: Readonly<Record<string, unknown>> | undefined
  const { recorded: ofTrace, live } = redaction.renaming.sides
  return (input) =>
    Object.entries(fields).every(([key, value]) => {
      const recorded: unknown = Reflect.get(Object(input), key)
      if (recorded === value) return true
      if (recorded === undefined || value === undefined) return false
      // Which values of a field are secret may depend on another field, such as the columns that a statement names.
      redacted ??= redaction.toRecorded(omitUndefined(fields)) as Readonly<Record<string, unknown>>
      return textOf(toRecorded(recorded), ofTrace) === textOf(redacted[key], live)
    })
}

function textOf(recorded: unknown, standIns: KnownStandIns): string {
  return withoutStandIns(JSON.stringify(recorded), standIns)
}

function toAnswer({ call, settled }: PlannedStep): RecordedAnswer {
  return {
    step: call.step,
    input: fromRecorded(toRecorded(call.input)),
    output: settled?.kind === 'return' ? copyValue(settled.output) : undefined,
    hasFailed: settled?.kind === 'throw',
    cut: call.cut,
  }
}
