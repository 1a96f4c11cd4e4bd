import { type ReplayOptions, type ReplaySettings, type MswHandler, toSettings } from '../replay/contract/replay-options.ts'
import type { RunSchema } from '../replay/contract/run-schema.ts'
import { OptionsError, checkKnownOptions } from '../trace/errors/options-error.ts'
import { type SandboxDatabase, splitDatabases } from './databases/split-databases.ts'
import type { BudgetOptions } from './budget.ts'
import type { ForkPoint } from './fork-point.ts'
import type { OutgoingOptions } from './outgoing.ts'
import type { RequestEdit } from './request-edit.ts'
import { routeProblem, type RouteRule, type Then } from './routes.ts'

/** What a fork changes. */
export interface ForkEdit<Input = unknown> {
  /**
   * Another answer of the step: a tool's result; of a model `{ text, toolCalls }`, a text, or the provider's JSON; of a request
   * `{ status, headers, json }`; or an `Error` that the call fails with.
   */
  readonly answer?: unknown
  /** Another request of the step, as it goes out. */
  readonly request?: RequestEdit
  /** Another input of the agent. */
  readonly input?: Input
  /**
   * Another state of the checkpoint `at`: the agent starts there, without what came before, and finds the state in
   * `currentRun().resumedFrom`. For agents that can be resumed.
   */
  readonly state?: unknown
}

/** The options of `fork`. */
export interface ForkOptions<Input = unknown, Context = unknown, Schema extends RunSchema = RunSchema> extends Omit<
  ReplayOptions<Context, Schema>,
  'onDivergence' | 'live'
> {
  /** Where the fork leaves the trace. Default: where the agent departs from it. */
  readonly at?: ForkPoint
  /** What is changed there. Default: nothing. */
  readonly edit?: ForkEdit<Input>
  /** The agent's input; the same as `edit.input`. Default: the recorded one. */
  readonly input?: Input
  /**
   * `strict`: before `at`, the agent has to do what the recorded run did. `keep`: calls of models and reads may differ there, and get the
   * recorded answers; each is listed in `run.divergences`. Default: `strict`.
   */
  readonly prefix?: 'strict' | 'keep'
  /**
   * How calls from `at` on are answered. `recorded`: with the recorded answer of an equal call, else by `answers` and `handlers`.
   * `sandbox`: else by `sandbox`. `live`: models are called, other reads are made if no recorded call is equal, writes are recorded or
   * sandboxed. A call without an answer stops the run. Default: `recorded`.
   */
  readonly then?: Then
  /**
   * Ways for calls by tool, host, dialect (`openai.chat`) or boundary, before those of `then`. A write is never made unless its tool or host
   * is named here. Default: none.
   */
  readonly route?: Readonly<Record<string, RouteRule>>
  /**
   * Answers in place of the world, by tool, host or dialect: a value, a function of the call's input, or for a host a list of MSW handlers.
   * A function may reach the world. A database's driver (`pg`) takes the URL of a clone, or `{ url, rollback: true }` for a transaction of SQL that
   * is rolled back at the end of the fork. Writes are listed in `run.sideEffects`. Default: none.
   */
  readonly sandbox?: Readonly<Record<string, unknown>>
  /**
   * `virtual`: no wall time is spent. `real`: from `at` on, time passes as it really does: timers fire, recorded answers take as long as
   * recorded. `now`: the same, and the agent's clock shows the real time, for signatures that expire. Default: `real` if calls may go
   * live, else `virtual`.
   */
  readonly clock?: 'virtual' | 'real' | 'now'
  /** Hosts that may be called live in addition to the recorded ones, with or without a port. Default: none. */
  readonly allowHost?: readonly string[]
  /** Real values by stand-in, for live calls whose text was redacted; `send` sends stand-ins as they are. Default: such calls are refused. */
  readonly standIns?: 'send' | Readonly<Record<string, string>>
  /** What live calls may use together. A call without budget stops the run. Default: no limit. */
  readonly budget?: BudgetOptions
  /**
   * A directory that keeps live answers, redacted. The same fork made again gets them from there, without a call. Delete it to ask again.
   * Default: none.
   */
  readonly cache?: string
  /** The seed of ids and random values from `at` on. Default: 0. */
  readonly seed?: number
}

/** The options that are a fork's own, with their defaults. */
export interface OwnOptions
  extends OutgoingOptions, Required<Pick<ForkOptions, 'edit' | 'then' | 'prefix' | 'route' | 'sandbox' | 'clock' | 'budget' | 'seed'>> {
  readonly at: ForkPoint | undefined
  readonly input: unknown
  readonly cache: string | undefined
  /** The checkpoint that the agent starts at, with another state. */
  readonly state: { readonly checkpoint: string; readonly state: unknown } | undefined
  /** Of the sandbox: databases by driver. */
  readonly databases: Readonly<Record<string, SandboxDatabase>>
}

/** Splits options in those of a replay and those of a fork. Throws an `OptionsError` for an unknown one or a wrong value. */
export function readForkOptions<Input, Context, Schema extends RunSchema>(
  caller: string,
  options: ForkOptions<Input, Context, Schema>,
): { readonly rest: ReplayOptions<Context, Schema>; readonly own: OwnOptions; readonly settings: ReplaySettings } {
  const { at, edit = {}, input = edit.input, prefix = 'strict', then = 'recorded', route = {}, sandbox = {}, clock, ...others } = options
  const { allowHost = [], standIns = 'refuse' as const, budget = {}, cache, seed = 0, ...rest } = others
  if ('live' in rest)
    throw new OptionsError(caller, 'live', `would reach the world in every call. Name the hosts in "route": { 'api.example.com': 'live' }.`)
  checkOneOf(caller, 'prefix', prefix, ['strict', 'keep'])
  checkOneOf(caller, 'then', then, ['recorded', 'sandbox', 'live'])
  if (clock !== undefined) checkOneOf(caller, 'clock', clock, ['virtual', 'real', 'now'])
  checkKnownOptions(caller, edit, ['answer', 'request', 'input', 'state'])
  checkKnownOptions(caller, budget, ['calls', 'tokens', 'usd', 'prices'])
  if (typeof edit.request === 'object') checkKnownOptions(caller, edit.request, requestParts)
  checkValues(caller, { at, route, budget, cache, seed, allowHost, standIns })
  if (budget.usd !== undefined && budget.prices === undefined) throw new OptionsError(caller, 'budget.usd', 'needs `budget.prices`.')
  const needsStep = prefix === 'keep' ? 'prefix' : ['answer', 'request'].find((name) => name in edit)
  if (at === undefined && needsStep !== undefined)
    throw new OptionsError(caller, needsStep, 'needs `at`, the step where the fork leaves the trace.')
  const state = 'state' in edit ? { checkpoint: checkpointOf(caller, at), state: edit.state } : undefined
  const mayGoLive = then === 'live' || Object.values(route).some((rule) => typeof rule === 'function' || [rule].flat().includes('live'))
  const chosen = clock ?? (mayGoLive ? 'real' : 'virtual')
  const { databases, others: given } = splitDatabases(caller, sandbox)
  const own: OwnOptions = {
    databases,
    at,
    edit,
    input,
    state,
    prefix,
    then,
    route,
    sandbox: given,
    clock: chosen,
    allowHost,
    standIns,
    budget,
    cache,
    seed,
  }
  return { rest, own, settings: withSandbox(toSettings(caller, rest, prefix === 'keep' ? 'continue' : 'fork'), own) }
}

const requestParts = ['system', 'model', 'messages', 'sampling', 'arguments']

function checkpointOf(caller: string, at: ForkPoint | undefined): string {
  if (typeof at === 'object' && 'checkpoint' in at) return at.checkpoint
  throw new OptionsError(caller, 'edit.state', 'needs the checkpoint whose state it replaces: at: { checkpoint: … }.')
}

/** The answers that are given; those of the sandbox stand behind others. */
function withSandbox(settings: ReplaySettings, { sandbox, then }: OwnOptions): ReplaySettings {
  if (then === 'recorded') return settings
  const isHandlers = (given: unknown): given is readonly MswHandler[] =>
    Array.isArray(given) && given.length > 0 && given.every(isMswHandler)
  const values = Object.entries(sandbox).filter(([, given]) => !isHandlers(given))
  const handlers = Object.values(sandbox).flatMap((given) => (isHandlers(given) ? given : []))
  return { ...settings, answers: { ...Object.fromEntries(values), ...settings.answers }, handlers: [...settings.handlers, ...handlers] }
}

const isMswHandler = (value: unknown): boolean => typeof value === 'object' && value !== null && 'info' in value && 'test' in value

function checkOneOf(caller: string, option: string, value: string, known: readonly string[]): void {
  if (known.includes(value)) return
  const list = known.map((name) => JSON.stringify(name)).join(' or ')
  throw new OptionsError(caller, option, `has to be ${list}, got ${JSON.stringify(value)}.`)
}

/** Checks options of whoever may have no types. @throws OptionsError for the first value of the wrong kind. */
function checkValues(
  caller: string,
  {
    at,
    route,
    budget,
    cache,
    seed,
    allowHost,
    standIns,
  }: Readonly<Record<'at' | 'cache' | 'seed' | 'allowHost' | 'standIns', unknown>> & Pick<OwnOptions, 'route' | 'budget'>,
): void {
  const fail = (option: string, problem: string): never => {
    throw new OptionsError(caller, option, problem)
  }
  if (at !== undefined && !isPoint(at))
    fail('at', `has to be a step number, { turn }, { tool, nth }, { checkpoint } or 'side-effect', got ${JSON.stringify(at)}.`)
  for (const [name, rule] of Object.entries(route)) {
    const problem = typeof rule === 'function' ? undefined : routeProblem(rule)
    if (problem !== undefined) fail(`route.${name}`, problem)
  }
  for (const name of ['calls', 'tokens', 'usd'] as const) {
    const limit: unknown = budget[name]
    if (limit !== undefined && !(typeof limit === 'number' && limit >= 0))
      fail(`budget.${name}`, `has to be a number of 0 or more, got ${JSON.stringify(limit)}.`)
  }
  if (cache !== undefined && typeof cache !== 'string') fail('cache', `has to be a directory, got ${JSON.stringify(cache)}.`)
  if (!Number.isInteger(seed)) fail('seed', `has to be a whole number, got ${JSON.stringify(seed)}.`)
  if (!Array.isArray(allowHost)) fail('allowHost', `has to be a list of hosts, got ${JSON.stringify(allowHost)}.`)
  const isMap = typeof standIns === 'object' && standIns !== null
  if (standIns !== 'send' && standIns !== 'refuse' && !isMap)
    fail('standIns', `has to be "send" or an object of real values by stand-in, got ${JSON.stringify(standIns)}.`)
}

function isPoint(at: unknown): boolean {
  if (at === 'side-effect') return true
  if (typeof at === 'number') return Number.isInteger(at) && at >= 1
  if (typeof at !== 'object' || at === null) return false
  const { turn, tool, nth = 1, checkpoint } = at as Readonly<Record<string, unknown>>
  if (typeof checkpoint === 'string' || (typeof tool === 'string' && Number.isInteger(nth))) return true
  return Number.isInteger(turn)
}
