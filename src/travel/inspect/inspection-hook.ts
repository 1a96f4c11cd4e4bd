import { AsyncLocalStorage } from 'node:async_hooks'
import type { Json } from '../../trace/json.ts'
import type { MadeCall } from '../../replay/contract/replay-options.ts'
import { AgentEnvironment } from './agent-environment.ts'
import { ValueDescriber, special } from './describe-value.ts'
import type { FoundPlaces } from './inspect-request.ts'
import type { InspectLimits } from './inspected-run.ts'
import { ownNames, ownProperty } from './intrinsics.ts'
import { privateNames } from './private-names.ts'
import { type AwaitingFrame, awaitingFrames, suspendStacks } from './stacks.ts'

const KEY = 'goldenrun.inspection'

/** The expression that the inspector evaluates to reach the hook in the agent's thread. */
export const HOOK: string = `globalThis[Symbol.for('${KEY}')]`

/** The fields of the current stop that the debugger's thread reads from shared memory, one number each. */
export const STOP_FIELDS = ['before', 'after', 'calls', 'tooBusy'] as const

/** A value for the terminal, and the environment variables that it may contain. */
export interface DescribedAnswer {
  readonly value: Json
  readonly environment: readonly (readonly [name: string, value: string])[]
}

/** A place where the agent makes calls, reached by one of its functions. A visit is the async context of everything that happens after it. */
interface Visit {
  /** From 1, in the order in which they were reached. */
  readonly id: number
  readonly site: number
  readonly within: number
  readonly parent: Visit | undefined
  readonly calls: MadeCall[]
  /** Whether the function has continued after the calls, or continued without waiting for them. */
  continued: boolean
}

/**
 * The part of the inspector that runs in the agent's thread. Conditions of breakpoints call it in the context of the agent's function. Each call is
 * therefore attributed to the place that made it, even if many are under way.
 *
 * Visits are never removed: the agent's continuations refer to them.
 */
export class InspectionHook {
  readonly shared: Int32Array<SharedArrayBuffer> = new Int32Array(new SharedArrayBuffer(4 * STOP_FIELDS.length))
  readonly #visits = new AsyncLocalStorage<Visit | undefined>()
  readonly #limits: InspectLimits
  readonly #calledFrom = new Map<number, number>()
  readonly #scopes: (readonly (readonly [string, Json])[])[] = []
  readonly #ofCall: FoundPlaces['ofCall']
  readonly #environment = new AgentEnvironment()
  /** Undefined: stops at all visits. */
  #stopsAt: number | undefined
  #describer: ValueDescriber
  #restoreStacks: () => void = () => undefined
  /** How often the places of each function were reached. */
  readonly #passed = new Map<number, number>()
  /** Functions whose continuations are no longer looked for. */
  readonly #left = new Set<number>()
  #reached = 0
  #calls = 0

  /**
   * Makes the hook available to the inspector's expressions.
   *
   * @param places The place of each call.
   * @param stopsAt The number of the visit to stop at; 0 for none. Default: all visits, before and after.
   */
  constructor(limits: InspectLimits, { ofCall }: Pick<FoundPlaces, 'ofCall'>, stopsAt?: number) {
    this.#limits = limits
    this.#ofCall = ofCall
    this.#stopsAt = stopsAt
    this.#describer = new ValueDescriber(limits, knownObjects())
    Object.defineProperty(globalThis, Symbol.for(KEY), { value: this, configurable: true, enumerable: false })
  }

  /** Attributes a call of the run to the last visit of its place that led to it. */
  called(call: MadeCall): void {
    this.#calls += 1
    const site = this.#ofCall[call.number] ?? -1
    const visit = this.#nearest((each) => each.site === site)
    if (visit === undefined) return
    visit.calls.push(call)
    this.#calledFrom.set(call.number, visit.id)
  }

  /** Returns the visit that made a call; undefined if the call's place is not known. */
  visitOf(call: number): number | undefined {
    return this.#calledFrom.get(call)
  }

  /** Returns the variables of the agent's environment at all stops. If the agent is stopped, the current ones are included. */
  environment(): readonly (readonly [name: string, value: string])[] {
    this.#environment.read()
    return this.#environment.variables
  }

  /** Returns the variables that `read` described under a number. */
  scope(number: number): readonly (readonly [string, Json])[] {
    return this.#scopes[number] ?? []
  }

  /**
   * The condition of a breakpoint before calls.
   *
   * @param isFirst Whether the function runs nothing before this place, so it does not continue from an earlier call here.
   */
  before(site: number, within: number, isFirst: boolean): boolean {
    const after = isFirst ? 0 : this.#continuing(within, [])
    const parent = this.#visits.getStore()
    this.#reached += 1
    this.#visits.enterWith({ id: this.#reached, site, within, parent, calls: [], continued: false })
    return this.#stop(this.#reached, after)
  }

  /** The condition of a breakpoint at the start of a function: visits of earlier calls of the function do not continue here. Never stops. */
  enter(within: number): boolean {
    const parent = this.#visits.getStore()
    if (this.#nearest((visit) => visit.within === within) !== undefined)
      this.#visits.enterWith({ id: 0, site: -1, within, parent, calls: [], continued: true })
    return false
  }

  /**
   * The condition of a breakpoint where a function continues.
   *
   * @param sites The places of calls earlier in the same statement: the function passes here before it waits for them.
   */
  after(within: number, sites: readonly number[]): boolean {
    const after = this.#continuing(within, sites)
    if (after !== 0) return this.#stop(0, after)
    const passed = (this.#passed.get(within) ?? 0) + 1
    this.#passed.set(within, passed)
    return passed === MOST_PASSED && this.#giveUp(within)
  }

  /** Gives up the continuation of the visit that stopped: its function is under way more than once, and it is not known which of them continues. */
  forget(): void {
    const visit = this.#visits.getStore()
    if (visit !== undefined) visit.continued = true
  }

  /** Has the breakpoints of a function removed: in a loop, each pass would wait for the debugger. */
  #giveUp(within: number): boolean {
    this.#left.add(within)
    this.shared.set([0, 0, this.#calls, within + 1])
    return true
  }

  /** Returns the functions that await the running code. */
  awaiting(): readonly AwaitingFrame[] {
    return awaitingFrames()
  }

  /** Returns the names of a scope's variables. */
  namesOf(scope: object): readonly string[] {
    return ownNames(scope).filter((name) => typeof name === 'string')
  }

  /** Describes `this`, or the variables of a scope except those left out. Called while the agent is stopped. @returns The number of the description. */
  read(scope: object, isThis: boolean, leftOut: readonly string[]): number {
    const described = isThis ? [['this', this.#describer.describe(scope)] as const] : this.#variables(scope, leftOut)
    return this.#scopes.push(described) - 1
  }

  /** Returns the names of private fields, for each instance read since the stop. Private accessors are described at once. */
  privateFields(): readonly (readonly string[])[] {
    return this.#describer.instances.map(({ value, described }, index) => {
      const { fields, accessors } = privateNames(value)
      if (index >= MOST_INSTANCES && fields.length > 0) {
        described['…'] = special({ unread: 'private' })
        return []
      }
      for (const name of accessors) described[name] = special({ getter: true })
      return fields
    })
  }

  /** Returns an instance that was read since the stop. */
  instance(index: number): object | undefined {
    return this.#describer.instances[index]?.value
  }

  /** Adds a private field to the description of an instance. */
  addPrivate(index: number, name: string, value: unknown): void {
    const instance = this.#describer.instances[index]
    if (instance !== undefined) instance.described[name] = this.#describer.describe(value, instance.depth + 1)
  }

  #variables(scope: object, leftOut: readonly string[]): (readonly [string, Json])[] {
    return ownNames(scope).flatMap((name) => {
      const property = typeof name === 'string' && !leftOut.includes(name) ? variableOf(scope, name) : undefined
      if (property === undefined || property === 'accessor') return []
      return [[String(name), this.#describer.describe(property.value)] as const]
    })
  }

  /** Returns the last visit on the way here that meets a condition. */
  #nearest(isWanted: (visit: Visit) => boolean): Visit | undefined {
    let visit = this.#visits.getStore()
    while (visit !== undefined && !isWanted(visit)) visit = visit.parent
    return visit
  }

  /**
   * Returns the visit after whose calls a function continues here for the first time; 0 if there is none. A function that continues before its call
   * has been answered does not wait for that call, so no later continuation counts as an answer to it.
   */
  #continuing(within: number, sites: readonly number[]): number {
    const visit = this.#nearest((each) => each.within === within)
    if (visit === undefined || visit.continued || this.#left.has(within)) return 0
    const isWaiting = visit.calls.length === 0 || visit.calls.some(({ state, delivery }) => state === 'open' && !delivery.hasBegun)
    if (isWaiting && sites.includes(visit.site)) return 0
    visit.continued = true
    return isWaiting ? 0 : visit.id
  }

  /** Sets the next visit to stop at. */
  stopAt(visit: number): void {
    this.#stopsAt = visit
  }

  /** Starts reading variables, until `resume`. Each reading has its own limit of values. */
  beginReading(): void {
    this.#restoreStacks()
    this.#restoreStacks = suspendStacks()
    this.#describer = new ValueDescriber(this.#limits, knownObjects())
    this.#environment.read()
  }

  /** Describes one value, for the terminal. */
  answer(value: unknown): DescribedAnswer {
    return { value: new ValueDescriber(this.#limits, knownObjects()).describe(value), environment: this.environment() }
  }

  /** Ends reading. */
  resume(): void {
    this.#restoreStacks()
    this.#restoreStacks = () => undefined
  }

  #stop(before: number, after: number): boolean {
    if (this.#stopsAt !== undefined && (before === 0 || this.#stopsAt !== before)) return false
    // Where clients stop, they continue when they like.
    if (this.#stopsAt === undefined) this.beginReading()
    this.shared.set([before, after, this.#calls, 0])
    return true
  }
}

/** Returns undefined for a variable declared further down: V8 refuses to read it. */
function variableOf(scope: object, name: string): ReturnType<typeof ownProperty> {
  try {
    return ownProperty(scope, name)
  } catch {
    return undefined
  }
}

/** Each passage takes about ten microseconds. */
const MOST_PASSED = 20_000

/** Each instance costs a request to the inspector. */
const MOST_INSTANCES = 40

/** Objects of the process that are named instead of read. During a run, the environment is the run's own. */
function knownObjects(): Map<object, string> {
  return new Map<object, string>([
    [process.env, 'process.env'],
    [globalThis, 'globalThis'],
    [process, 'process'],
    [console, 'console'],
  ])
}
