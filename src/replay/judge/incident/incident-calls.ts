import type { Effect, RequestEffects } from '../../../trace/boundary.ts'
import type { HttpInput } from '../../../trace/rows.ts'
import { mayWrite } from '../../../trace/requests/may-write.ts'
import { addressOfRequest, sideEffectsOf } from '../../../trace/side-effects.ts'
import type { Step, Trace } from '../../../trace/trace.ts'

/** A recorded or replayed call, with the fields that the incident rule needs. */
export interface IncidentCall extends Pick<Step, 'boundary' | 'name' | 'input'> {
  readonly effect?: Effect | undefined
}

/** The recorded calls that a replay of an incident also makes: the run's own, and those of tools that run. */
export class IncidentCalls {
  readonly steps: readonly Step[]
  readonly #recorded: ReadonlyMap<number, Step>
  readonly #tools: Readonly<Record<string, 'run'>>
  readonly #effects: RequestEffects | undefined
  /** Tools without a declared effect that made a writing request. */
  readonly #writingTools: ReadonlySet<string>

  /** @param tools The tools that run. */
  constructor({ header, steps }: Pick<Trace, 'header' | 'steps'>, tools: Readonly<Record<string, 'run'>> = {}) {
    this.#recorded = new Map(steps.map((step) => [step.step, step]))
    this.#tools = tools
    this.#effects = header.effects
    const inferred = sideEffectsOf(steps, header).filter((effect) => effect.inferred === true)
    this.#writingTools = new Set(inferred.flatMap((step) => (step.owner === 0 ? [] : [this.#outermost(step).name])))
    this.steps = steps.filter((step) => this.#outermost(step) === step)
  }

  /**
   * The recorded call that represents a step: for a step within a tool that does not run, the tool's call; for a tool that runs, its first
   * writing request.
   */
  standingFor(step: number): Step | undefined {
    const recorded = this.#recorded.get(step)
    if (recorded === undefined) return undefined
    const outer = this.#outermost(recorded)
    return (this.#runs(outer) && this.steps.find((inner) => inner.owner === outer.step && this.isWrite(inner))) || outer
  }

  /** Whether a call is a write. If a tool runs, its requests count instead. */
  isWrite(call: IncidentCall): boolean {
    const { boundary, name, effect, input } = call
    if (boundary === 'http') return mayWrite(input as HttpInput, this.#effects)
    return !this.#runs(call) && (effect === 'write' || (effect === undefined && this.#writingTools.has(name)))
  }

  #runs({ boundary, name }: Pick<IncidentCall, 'boundary' | 'name'>): boolean {
    return boundary === 'tool' && Object.hasOwn(this.#tools, name)
  }

  /** The step itself, or the tool that contains it if that tool does not run. */
  #outermost(step: Step): Step {
    const above = step.owner === step.step ? undefined : this.#recorded.get(step.owner)
    if (above === undefined) return step
    const outer = this.#outermost(above)
    return outer === above && this.#runs(above) ? step : outer
  }
}

/** The idempotency key that a request carries on the wire. */
export function wireKeyOf({ boundary, input }: Pick<IncidentCall, 'boundary' | 'input'>): string | undefined {
  if (boundary !== 'http') return undefined
  return (input as HttpInput).headers.find(([header]) => header === 'idempotency-key')?.[1]
}

/**
 * Whether a call may be a recorded one with different arguments: a request to the same path, or to one that differs only in one segment,
 * such as an id.
 */
export function asksForTheLike(call: IncidentCall, recorded: Pick<IncidentCall, 'boundary' | 'input'>): boolean {
  if (call.boundary !== 'http') return true
  const [one, other] = [call.input, recorded.input].map((input) => segmentsOf(input as HttpInput)) as [string[], string[]]
  const differing = one.filter((segment, index) => segment !== other[index]).length
  return one.length === other.length && (differing === 0 || (differing === 1 && one.length > 3))
}

/** Method, host and the parts of the path. */
function segmentsOf({ method, url }: HttpInput): string[] {
  return addressOfRequest(method, url).split(/[ /]/)
}
