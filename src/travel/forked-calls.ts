import type { Divergence } from '../divergence/divergence.ts'
import { describeDivergence } from '../divergence/report/cause-words.ts'
import { quoteForShell } from '../divergence/report/next-commands.ts'
import { FunctionDelivery } from '../replay/answers/function-delivery.ts'
import { type Answers, unanswered } from '../replay/answers/answers.ts'
import type { PlannedStep } from '../replay/calls/plan.ts'
import type { ReplayCall } from '../replay/calls/replay-call.ts'
import type { Route } from '../replay/contract/route.ts'
import type { CallRouter, RouterContext } from '../replay/judge/call-router.ts'
import { makeDivergence } from '../replay/judge/finding.ts'
import type { RequestEffects } from '../trace/boundary.ts'
import type { Step } from '../trace/trace.ts'
import { transactionOf } from './databases/asked-sql.ts'
import { isFileDriver } from './databases/file-drivers.ts'
import type { RequestEditor } from './request-edit.ts'
import type { RecordedAnswers } from './recorded-answers.ts'
import { type CallRoutes, type RoutedCall, type RouteRule, type Then, toRoutedCall, routesOf } from './routes.ts'

/** What a fork does from its step on. */
export interface ForkPlan extends Pick<CallRouter, 'prefix' | 'atDeparture' | 'departsAt'> {
  /** The recorded step at which it leaves the trace. */
  readonly step: Step | undefined
  readonly then: Then
  readonly rules: Readonly<Record<string, RouteRule>>
  /** Whether real time passes from the step on. */
  readonly runsClock: boolean
  /** Answers the call of the step, before every other rule. */
  readonly answer?: Answers
  /** Edits requests as they go out. */
  readonly editor?: RequestEditor
  readonly recorded: RecordedAnswers
  /** The declared effects of requests. */
  readonly effects: RequestEffects | undefined
  /** Answers for calls that the trace does not have, by name. */
  readonly sandbox: Answers
  /** Whether a file stands in for the databases of a driver. */
  hasFile(driver: string): boolean
  /** Returns how long an answer takes that was not recorded, in milliseconds. */
  timeOf(call: ReplayCall): number
  /** Sends a request as the agent would. Returns why it may not be sent; undefined if it may. */
  send(call: ReplayCall): string | undefined
}

/** Why a route did not lead to an answer, as a sentence; undefined if it did. */
type Refusal = string | undefined

/** Answers the calls of a fork from its step on, each by its routes. */
export class ForkedCalls implements CallRouter {
  readonly prefix: 'strict' | 'keep'
  readonly atDeparture: boolean
  readonly departsAt: number | undefined
  readonly #plan: ForkPlan
  readonly #context: RouterContext
  /** Whether everything before the step has happened, and a call came after it. */
  #isBegun = false
  /** Whether the call of the step has been made. */
  #isEdited = false
  readonly #allowed = new WeakSet<ReplayCall>()
  /** The recorded steps before the fork's step in which the agent did something different. */
  readonly #changed = new Set<number>()
  /** Transactions with a statement that the sandbox answered. */
  readonly #sandboxed = new Set<string>()

  constructor(plan: ForkPlan, context: RouterContext) {
    this.prefix = plan.prefix
    this.atDeparture = plan.atDeparture
    this.departsAt = plan.departsAt
    this.#plan = plan
    this.#context = context
  }

  begin(): void {
    this.#isBegun = true
    if (this.#plan.runsClock) this.#context.runClock()
  }

  /**
   * Why a fork that has ended did not come to its step: the agent did not do what the recorded run had done before, or never made the call that is
   * edited. Undefined if it did, or has no step.
   *
   * @param divergences Those of the fork.
   */
  unreached(divergences: readonly Divergence[]): Divergence | undefined {
    const { step, answer, editor } = this.#plan
    if (this.atDeparture) return undefined
    const place = step === undefined ? 'the place where the fork begins' : `step ${step.step} (${step.name}), where the fork begins`
    const first = this.#isBegun ? undefined : divergences.find(({ cause }) => this.prefix === 'strict' || cause !== 'input')
    if (first !== undefined) return { ...first, reason: `The agent ended before ${place}: ${describeDivergence(first)}.` }
    if (step === undefined || this.#isEdited || (answer === undefined && editor === undefined)) return undefined
    const reason = `The agent ended without a call of ${step.name}, whose ${answer === undefined ? 'request' : 'answer'} is edited.`
    return makeDivergence('missing-call', { step: step.step, position: 'at', boundary: step.boundary, name: step.name, reason })
  }

  meet(call: ReplayCall, planned: PlannedStep): void {
    const { recorded } = this.#plan
    recorded.take(planned)
    if (call.changed) this.#changed.add(planned.call.step)
    const whole = recorded.step(planned.call.step)
    if (planned.settled !== undefined || whole === undefined) return
    call.source = whole
    this.#scheduleRows(call, whole, planned.completions.length)
  }

  take(call: ReplayCall): void {
    const { answer, editor, recorded, step } = this.#plan
    const made = this.#changed.size === 0 ? undefined : recorded.made(call)
    if (made !== undefined && this.#changed.has(made.call.step)) {
      return this.#context.refuse(call, `It is step ${made.call.step} of the recorded run, before which the agent made another call.`)
    }
    const isStep = !this.#isEdited && isOfStep(call, step)
    if (isStep) this.#isEdited = true
    const problem = editor?.edit(call, isStep)
    if (problem !== undefined) return this.#context.refuse(call, problem)
    const given = isStep ? answer?.for(call) : undefined
    if (given !== undefined) return this.#give(call, given)
    const routed = toRoutedCall(call, this.#plan.effects)
    const found = this.#routesOf(routed, call)
    if (typeof found === 'string') return this.#context.refuse(call, found)
    const { routes, isNamed } = found
    const mayWrite = !routed.isWrite || isNamed || this.#isAllowedAbove(call)
    const refusals: string[] = []
    for (const route of routes) {
      const refusal = this.#go(call, routed, route, mayWrite)
      if (refusal === undefined) return
      refusals.push(refusal)
    }
    this.#context.refuse(call, refusals.join(' ') || 'Its route is empty.')
  }

  /** Returns the routes of a call, or why it has none. Inside a tool that was allowed to write, calls are live unless a rule says otherwise. */
  #routesOf(routed: RoutedCall, call: ReplayCall): CallRoutes | string {
    const { rules, then } = this.#plan
    try {
      const found = routesOf(routed, rules, then)
      return !found.isRuled && this.#isAllowedAbove(call) ? { ...found, routes: ['live'] } : found
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  #go(call: ReplayCall, routed: RoutedCall, route: Route, mayWrite: boolean): Refusal {
    const { name } = call
    const transaction = transactionIn(routed)
    switch (route) {
      case 'recorded': {
        if (transaction !== undefined && this.#sandboxed.has(transaction))
          return `Part of its transaction ran in the sandbox, so the rest has to run there.`
        const step = this.#plan.recorded.find(call, routed.isWrite)
        if (step === undefined) return `The recorded run has no answer for a call of ${name} with this input.`
        call.route = route
        call.source = step
        this.#scheduleRows(call, step, 0)
        return undefined
      }
      case 'sandbox': {
        if (transaction !== undefined) this.#sandboxed.add(transaction)
        if (call.delivery instanceof FunctionDelivery && this.#plan.hasFile(call.driver ?? '')) {
          // A database inside the process runs on the file that replaces its own.
          call.route = route
          return run(call, call.delivery)
        }
        // A function of the sandbox may query a clone of what the agent would query.
        const given = this.#context.live(() => this.#plan.sandbox.for(call))
        if (given === undefined) return this.#lacksAnswer(call)
        call.route = route
        this.#give(call, given)
        return undefined
      }
      case 'run':
      case 'live':
        if (!mayWrite) {
          return `${name} may change something outside, so it is not ${route === 'live' ? 'called live' : 'run'} unless "route" names it: route: { ${JSON.stringify(routed.host ?? name)}: '${route}' } (--route ${quoteForShell(`${routed.host ?? name}=${route}`)}).`
        }
        // Databases are never called live, only in their sandbox.
        if (call.driver !== undefined) return this.#go(call, routed, 'sandbox', mayWrite)
        return this.#make(call, route, routed.isWrite)
      case 'refuse':
        return `"route" refuses it.`
    }
  }

  #lacksAnswer({ name, boundary, driver }: ReplayCall): string {
    const { then } = this.#plan
    const isSandboxed = then !== 'recorded'
    const where = isSandboxed ? '"sandbox"' : '"answers" (in goldenrun.config.ts: under "sandbox", with --then sandbox)'
    const live = boundary === 'model' && then !== 'live' ? `, or call models live: then: 'live' (--then live)` : ''
    // Synchronous calls cannot wait for an answer or a remote sandbox.
    if (driver !== undefined && isFileDriver(driver))
      return `Give the file of a sandbox: sandbox: { ${JSON.stringify(driver)}: './clone.db' }.`
    const database = driver === undefined ? '' : `, or the URL of a sandbox: sandbox: { ${JSON.stringify(driver)}: … }`
    return `Give an answer for ${name} under ${where}${live}${database}.`
  }

  /** Runs a function, or makes a request. */
  #make(call: ReplayCall, route: 'run' | 'live', isWrite: boolean): Refusal {
    const { delivery } = call
    if (delivery instanceof FunctionDelivery) run(call, delivery)
    else {
      const refusal = this.#plan.send(call)
      if (refusal !== undefined) return refusal
    }
    call.route = route
    if (isWrite) this.#allowed.add(call)
    return undefined
  }

  /** Whether a tool around the call was allowed to write: then everything inside it may write. */
  #isAllowedAbove({ owner }: ReplayCall): boolean {
    for (let above = owner; above !== undefined; above = above.owner) if (this.#allowed.has(above)) return true
    return false
  }

  #give(call: ReplayCall, given: Promise<unknown>): void {
    call.route ??= 'sandbox'
    const release = this.#context.busy()
    const schedule = (deliver: () => void): void => this.#context.schedule(call.at + this.#plan.timeOf(call), deliver)
    const answer = (value: unknown): void => {
      if (value === unanswered) this.#context.refuse(call, `No handler of the sandbox answers ${call.name}.`)
      else schedule(() => call.delivery.answer(value))
    }
    const fail = (error: unknown): void => schedule(() => call.delivery.refuse(error))
    void given.then(answer, fail).finally(release)
  }

  /** Delivers the recorded completions of a step, starting with one, with the recorded delays after the call. */
  #scheduleRows(call: ReplayCall, { call: { at }, completions, settled }: PlannedStep, from: number): void {
    // A synchronous result is returned synchronously, unless the agent already has a promise.
    if (settled?.sync === true && call.delivery instanceof FunctionDelivery) {
      if (call.delivery.isPromised) this.#context.schedule(call.at, () => call.delivery.row(settled))
      return
    }
    for (const row of completions.slice(from)) {
      this.#context.schedule(call.at + row.at - at, () => call.delivery.row(row))
    }
  }
}

/** Runs a call's function, synchronously unless the agent already has a promise. */
function run(call: ReplayCall, delivery: FunctionDelivery): undefined {
  call.runs = true
  if (delivery.isPromised) delivery.run()
}

function isOfStep({ boundary, name }: ReplayCall, step: Step | undefined): boolean {
  return step?.boundary === boundary && step.name === name
}

/** Returns the transaction that a call is part of, on any of the driver's connections. */
function transactionIn({ driver, input }: RoutedCall): string | undefined {
  const number = driver === undefined ? undefined : transactionOf(input)
  return number === undefined ? undefined : `${driver} ${number}`
}
