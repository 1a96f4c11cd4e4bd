import type { Boundary, Effect } from '../../../trace/boundary.ts'
import type { HttpInput } from '../../../trace/rows.ts'
import { mayWrite } from '../../../trace/reading-requests.ts'
import { addressOfRequest, sideEffectsOf } from '../../../trace/side-effects.ts'
import type { Step, Trace } from '../../../trace/trace.ts'

/** A call, recorded or made now, as the rule for incidents sees it. */
export interface IncidentCall {
  readonly boundary: Boundary
  readonly name: string
  readonly effect?: Effect | undefined
  readonly input: unknown
}

/** The recorded calls that a replay of an incident makes too: the run's own, and those of tools that run. */
export class IncidentCalls {
  readonly steps: readonly Step[]
  readonly #recorded: ReadonlyMap<number, Step>
  readonly #tools: Readonly<Record<string, 'run'>>
  /** Tools that say nothing of their effect, and made a request that writes. */
  readonly #writingTools: ReadonlySet<string>

  /** @param tools Those that run. */
  constructor({ header, steps }: Pick<Trace, 'header' | 'steps'>, tools: Readonly<Record<string, 'run'>> = {}) {
    this.#recorded = new Map(steps.map((step) => [step.step, step]))
    this.#tools = tools
    const inferred = sideEffectsOf(steps, header.ambient?.names).filter((effect) => effect.inferred === true)
    this.#writingTools = new Set(inferred.flatMap((step) => (step.owner === 0 ? [] : [this.#outermost(step).name])))
    this.steps = steps.filter((step) => this.#outermost(step) === step)
  }

  /** The recorded call that stands for a step: of one within a tool that does not run the tool's, of a tool that runs its first request that writes. */
  standingFor(step: number): Step | undefined {
    const recorded = this.#recorded.get(step)
    if (recorded === undefined) return undefined
    const outer = this.#outermost(recorded)
    return (this.#runs(outer) && this.steps.find((inner) => inner.owner === outer.step && this.isWrite(inner))) || outer
  }

  /** Whether a call changes the world outside. Where a tool runs, the requests that it makes do. */
  isWrite(call: IncidentCall): boolean {
    const { boundary, name, effect, input } = call
    if (boundary === 'http') return mayWrite(input as HttpInput)
    return !this.#runs(call) && (effect === 'write' || (effect === undefined && this.#writingTools.has(name)))
  }

  #runs({ boundary, name }: Pick<IncidentCall, 'boundary' | 'name'>): boolean {
    return boundary === 'tool' && Object.hasOwn(this.#tools, name)
  }

  /** The step itself, or the tool in whose body it was made and that does not run. */
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

/** Whether a call may be a recorded one with other arguments: a request to the same path, or to one that differs in a single segment, an id. */
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
