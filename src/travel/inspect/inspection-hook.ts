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

/** The expression with which the inspector finds the hook in the agent's thread. */
export const HOOK: string = `globalThis[Symbol.for('${KEY}')]`

/** What the debugger's thread reads about the stop that is being made, in shared memory: one number each. */
export const STOP_FIELDS = ['before', 'after', 'calls', 'tooBusy'] as const

/** A value for the terminal, with the environment variables that may be in it. */
export interface DescribedAnswer {
  readonly value: Json
  readonly environment: readonly (readonly [name: string, value: string])[]
}

/** A place where the agent makes calls, reached by one of its functions. It is the context of all that happens from there on. */
interface Visit {
  /** From 1, in the order in which they are reached. */
  readonly id: number
  readonly site: number
  readonly within: number
  readonly parent: Visit | undefined
  readonly calls: MadeCall[]
  /** Whether the function has continued after the calls, or went on without waiting for them. */
  continued: boolean
}

/**
 * The part of the inspector that runs in the agent's thread. Conditions of breakpoints call it, in the context of the agent's function, so that each
 * call is attributed to the place that it was made from, however many of them are under way.
 *
 * A visit is never removed: the agent's continuations lead to it.
 */
export class InspectionHook {
  readonly shared: Int32Array<SharedArrayBuffer> = new Int32Array(new SharedArrayBuffer(4 * STOP_FIELDS.length))
  readonly #visits = new AsyncLocalStorage<Visit | undefined>()
  readonly #limits: InspectLimits
  readonly #calledFrom = new Map<number, number>()
  readonly #scopes: (readonly (readonly [string, Json])[])[] = []
  readonly #ofCall: FoundPlaces['ofCall']
  readonly #environment = new AgentEnvironment()
  /** Undefined for all. */
  #stopsAt: number | undefined
  #describer: ValueDescriber
  #restoreStacks: () => void = () => undefined
  /** How often the places of each function were reached. */
  readonly #passed = new Map<number, number>()
  /** Functions whose continuations are not looked for any more. */
  readonly #left = new Set<number>()
  #reached = 0
  #calls = 0

  /**
   * It is made known to the inspector's expressions.
   *
   * @param places The place that each call is made from.
   * @param stopsAt The visit to stop at, by its number; 0 for none. Default: all, before and after.
   */
  constructor(limits: InspectLimits, { ofCall }: Pick<FoundPlaces, 'ofCall'>, stopsAt?: number) {
    ;[this.#limits, this.#ofCall, this.#stopsAt] = [limits, ofCall, stopsAt]
    this.#describer = new ValueDescriber(limits, knownObjects())
    Object.defineProperty(globalThis, Symbol.for(KEY), { value: this, configurable: true, enumerable: false })
  }

  /** A call of the run was made: it belongs to the last visit of its place that led to it. */
  called(call: MadeCall): void {
    this.#calls += 1
    const site = this.#ofCall[call.number] ?? -1
    const visit = this.#nearest((each) => each.site === site)
    if (visit === undefined) return
    visit.calls.push(call)
    this.#calledFrom.set(call.number, visit.id)
  }

  /** The visit that a call was made from; undefined if its place is not known. */
  visitOf(call: number): number | undefined {
    return this.#calledFrom.get(call)
  }

  /** The variables of the agent's environment at all stops. Called while the agent is stopped, it reads those of now, too. */
  environment(): readonly (readonly [name: string, value: string])[] {
    this.#environment.read()
    return this.#environment.variables
  }

  /** What `read` described under a number. */
  scope(number: number): readonly (readonly [string, Json])[] {
    return this.#scopes[number] ?? []
  }

  /**
   * The condition of a breakpoint before calls.
   *
   * @param isFirst Whether nothing of the function is run before: it does not continue from an earlier call.
   */
  before(site: number, within: number, isFirst: boolean): boolean {
    const after = isFirst ? 0 : this.#continuing(within, [])
    const parent = this.#visits.getStore()
    this.#reached += 1
    this.#visits.enterWith({ id: this.#reached, site, within, parent, calls: [], continued: false })
    return this.#stop(this.#reached, after)
  }

  /** The condition of a breakpoint where a function begins: no visit of an earlier call of it continues from there on. It never stops. */
  enter(within: number): boolean {
    const parent = this.#visits.getStore()
    if (this.#nearest((visit) => visit.within === within) !== undefined)
      this.#visits.enterWith({ id: 0, site: -1, within, parent, calls: [], continued: true })
    return false
  }

  /**
   * The condition of a breakpoint where a function continues.
   *
   * @param sites The places of calls before it in its statement: it is passed on the way to waiting for them.
   */
  after(within: number, sites: readonly number[]): boolean {
    const after = this.#continuing(within, sites)
    if (after !== 0) return this.#stop(0, after)
    const passed = (this.#passed.get(within) ?? 0) + 1
    this.#passed.set(within, passed)
    return passed === MOST_PASSED && this.#giveUp(within)
  }

  /** The function of the visit that stopped is under way more than once: which of them continues is not known. */
  forget(): void {
    const visit = this.#visits.getStore()
    if (visit !== undefined) visit.continued = true
  }

  /** A loop would wait for the debugger at each of its places: those of this function are removed. */
  #giveUp(within: number): boolean {
    this.#left.add(within)
    this.shared.set([0, 0, this.#calls, within + 1])
    return true
  }

  /** The functions that await what is running. */
  awaiting(): readonly AwaitingFrame[] {
    return awaitingFrames()
  }

  /** The names of a scope's variables. */
  namesOf(scope: object): readonly string[] {
    return ownNames(scope).filter((name) => typeof name === 'string')
  }

  /** Describes the variables of a scope but those left out, or `this`. Called while the agent is stopped. @returns The number of the description. */
  read(scope: object, isThis: boolean, leftOut: readonly string[]): number {
    const described = isThis ? [['this', this.#describer.describe(scope)] as const] : this.#variables(scope, leftOut)
    return this.#scopes.push(described) - 1
  }

  /** The names of private fields by the instances that were read since the stop. Those of accessors are described at once. */
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

  /** An instance that was read since the stop. */
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

  /** The visit that led here last, of those that are looked for. */
  #nearest(isWanted: (visit: Visit) => boolean): Visit | undefined {
    let visit = this.#visits.getStore()
    while (visit !== undefined && !isWanted(visit)) visit = visit.parent
    return visit
  }

  /**
   * The visit after whose calls a function continues here for the first time; 0 if it does not. A function that goes on while nothing has answered its
   * call does not wait for it: whatever it waits for later, it is not that call.
   */
  #continuing(within: number, sites: readonly number[]): number {
    const visit = this.#nearest((each) => each.within === within)
    if (visit === undefined || visit.continued || this.#left.has(within)) return 0
    const isWaiting = visit.calls.length === 0 || visit.calls.some(({ state, delivery }) => state === 'open' && !delivery.hasBegun)
    if (isWaiting && sites.includes(visit.site)) return 0
    visit.continued = true
    return isWaiting ? 0 : visit.id
  }

  /** The visit to stop at next. */
  stopAt(visit: number): void {
    this.#stopsAt = visit
  }

  /** Variables are read until `resume`. What is described from now on has its own limit of values. */
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

  /** All is read. */
  resume(): void {
    this.#restoreStacks()
    this.#restoreStacks = () => undefined
  }

  #stop(before: number, after: number): boolean {
    if (this.#stopsAt !== undefined && (before === 0 || this.#stopsAt !== before)) return false
    // Where clients stop, they go on when they like.
    if (this.#stopsAt === undefined) this.beginReading()
    this.shared.set([before, after, this.#calls, 0])
    return true
  }
}

/** Undefined for one that is declared further down: V8 refuses to read it. */
function variableOf(scope: object, name: string): ReturnType<typeof ownProperty> {
  try {
    return ownProperty(scope, name)
  } catch {
    return undefined
  }
}

/** Each takes some ten microseconds. */
const MOST_PASSED = 20_000

/** Each costs a question to the inspector. */
const MOST_INSTANCES = 40

/** Objects of the process that are named instead of read. In a run, the environment is the run's own. */
function knownObjects(): Map<object, string> {
  return new Map<object, string>([
    [process.env, 'process.env'],
    [globalThis, 'globalThis'],
    [process, 'process'],
    [console, 'console'],
  ])
}
