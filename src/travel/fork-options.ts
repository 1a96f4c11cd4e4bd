import { type ReplayOptions, type ReplaySettings, type MswHandler, toSettings } from '../replay/contract/replay-options.ts'
import type { RunSchema } from '../replay/contract/run-schema.ts'
import { OptionsError, checkKnownOptions, checkOneOf } from '../trace/errors/options-error.ts'
import { type SandboxDatabase, splitDatabases } from './databases/split-databases.ts'
import type { BudgetOptions } from './budget.ts'
import type { ForkPoint } from './fork-point.ts'
import type { OutgoingOptions } from './outgoing.ts'
import type { RequestEdit } from './request-edit.ts'
import { routeProblem, type RouteRule, type Then } from './routes.ts'

/** The changes that a fork makes. */
export interface ForkEdit<Input = unknown> {
  /**
   * A different answer of the step. For a tool, its result; for a model, `{ text, toolCalls }`, a text, or the provider's JSON; for a request,
   * `{ status, headers, json }`; or an `Error` with which the call fails.
   */
  readonly answer?: unknown
  /** A different request of the step, changed as it goes out. */
  readonly request?: RequestEdit
  /** A different input of the agent. */
  readonly input?: Input
  /**
   * A different state of the checkpoint `at`. The agent starts there, without what came before, and finds the state in `currentRun().resumedFrom`.
   * For agents that can be resumed.
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
  /** The change at that step. Default: none. */
  readonly edit?: ForkEdit<Input>
  /** The agent's input; the same as `edit.input`. Default: the recorded one. */
  readonly input?: Input
  /**
   * How strictly the agent has to follow the recorded run before `at`. `strict`: it has to do the same. `keep`: calls of models and reads may differ
   * and get the recorded answers; each is listed in `run.divergences`. Default: `strict`.
   */
  readonly prefix?: 'strict' | 'keep'
  /**
   * How calls from `at` on are answered. `recorded`: with the recorded answer of an equal call, else by `answers` and `handlers`. `sandbox`: the
   * same, else by `sandbox`. `live`: models are called, other reads are made if no recorded call is equal, writes are recorded or sandboxed. A call
   * without an answer stops the run. Default: `recorded`.
   */
  readonly then?: Then
  /**
   * Routes of calls by tool, host, dialect (`openai.chat`) or boundary. They take precedence over `then`. A write is never made unless its tool or
   * host is named here. Default: none.
   */
  readonly route?: Readonly<Record<string, RouteRule>>
  /**
   * Answers that replace the world, by tool, host or dialect: a value, a function of the call's input, or for a host a list of MSW handlers. A
   * function may reach the world. A database driver (`pg`) takes the URL of a clone, or `{ url, rollback: true }` for a transaction of SQL that is
   * rolled back at the end of the fork. Writes are listed in `run.sideEffects`. Default: none.
   */
  readonly sandbox?: Readonly<Record<string, unknown>>
  /**
   * How time passes. `virtual`: the fork takes no wall time. `real`: from `at` on, real time passes: timers fire, and recorded answers take as long as
   * recorded. `now`: the same, and the agent's clock shows the real time, for signatures that expire. Default: `real` if calls may go live, else
   * `virtual`.
   */
  readonly clock?: 'virtual' | 'real' | 'now'
  /** Hosts that may be called live in addition to the recorded ones, with or without a port. Default: none. */
  readonly allowHost?: readonly string[]
  /** Real values by stand-in, for live calls whose text was redacted; `send` sends stand-ins unchanged. Default: such calls are refused. */
  readonly standIns?: 'send' | Readonly<Record<string, string>>
  /** The budget that all live calls share. Once it is used up, the next call stops the run. Default: no limit. */
  readonly budget?: BudgetOptions
  /**
   * A directory that keeps live answers, redacted. If the same fork is made again, it takes its answers from there and makes no call. Delete it to
   * call again. Default: none.
   */
  readonly cache?: string
  /** The seed of ids and random values from `at` on. Default: 0. */
  readonly seed?: number
}

/** The options that only a fork has, with their defaults. */
export interface OwnOptions
  extends OutgoingOptions, Required<Pick<ForkOptions, 'edit' | 'then' | 'prefix' | 'route' | 'sandbox' | 'clock' | 'budget' | 'seed'>> {
  readonly at: ForkPoint | undefined
  readonly input: unknown
  readonly cache: string | undefined
  /** The checkpoint at which the agent starts, with a different state. */
  readonly state: { readonly checkpoint: string; readonly state: unknown } | undefined
  /** Databases of the sandbox by driver. */
  readonly databases: Readonly<Record<string, SandboxDatabase>>
}

/** Splits options into those of a replay and those of a fork. Throws an `OptionsError` for an unknown option or a wrong value. */
export function readForkOptions<Input, Context, Schema extends RunSchema>(
  caller: string,
  options: ForkOptions<Input, Context, Schema>,
): { readonly rest: ReplayOptions<Context, Schema>; readonly own: OwnOptions; readonly settings: ReplaySettings } {
  const { at, edit = {}, input = edit.input, prefix = 'strict', then = 'recorded', route = {}, sandbox = {}, clock, ...others } = options
  const { allowHost = [], standIns = 'refuse' as const, budget = {}, cache, seed = 0, ...rest } = others
  if ('live' in rest)
    throw new OptionsError(
      caller,
      'live',
      `would let every call reach the world. Name the hosts in "route": { 'api.example.com': 'live' }.`,
    )
  checkOneOf(caller, 'prefix', prefix, ['strict', 'keep'])
  checkOneOf(caller, 'then', then, ['recorded', 'sandbox', 'live'])
  if (clock !== undefined) checkOneOf(caller, 'clock', clock, ['virtual', 'real', 'now'])
  checkKnownOptions(caller, edit, ['answer', 'request', 'input', 'state'])
  checkKnownOptions(caller, budget, ['calls', 'tokens', 'usd', 'prices'])
  if (typeof edit.request === 'object') checkKnownOptions(caller, edit.request, requestParts)
  const live = { allowHost, standIns, budget, cache, seed }
  checkValues(caller, { at, route, ...live })
  if (budget.usd !== undefined && budget.prices === undefined) throw new OptionsError(caller, 'budget.usd', 'needs `budget.prices`.')
  const needsStep = prefix === 'keep' ? 'prefix' : ['answer', 'request'].find((name) => name in edit)
  if (at === undefined && needsStep !== undefined)
    throw new OptionsError(caller, needsStep, 'needs `at`, the step where the fork leaves the trace.')
  const state = 'state' in edit ? { checkpoint: checkpointOf(caller, at), state: edit.state } : undefined
  const mayGoLive = then === 'live' || Object.values(route).some((rule) => typeof rule === 'function' || [rule].flat().includes('live'))
  const chosen = clock ?? (mayGoLive ? 'real' : 'virtual')
  const { databases, others: given } = splitDatabases(caller, sandbox)
  const own: OwnOptions = { ...live, at, edit, input, state, prefix, then, route, databases, sandbox: given, clock: chosen }
  return { rest, own, settings: withSandbox(toSettings(caller, rest, prefix === 'keep' ? 'continue' : 'fork'), own) }
}

const requestParts = ['system', 'model', 'messages', 'sampling', 'arguments']

function checkpointOf(caller: string, at: ForkPoint | undefined): string {
  if (typeof at === 'object' && 'checkpoint' in at) return at.checkpoint
  throw new OptionsError(caller, 'edit.state', 'needs the checkpoint whose state it replaces: at: { checkpoint: … }.')
}

/** Adds the answers of the sandbox after the given ones. */
function withSandbox(settings: ReplaySettings, { sandbox, then }: OwnOptions): ReplaySettings {
  if (then === 'recorded') return settings
  const isHandlers = (given: unknown): given is readonly MswHandler[] =>
    Array.isArray(given) && given.length > 0 && given.every(isMswHandler)
  const values = Object.entries(sandbox).filter(([, given]) => !isHandlers(given))
  const handlers = Object.values(sandbox).flatMap((given) => (isHandlers(given) ? given : []))
  return { ...settings, answers: { ...Object.fromEntries(values), ...settings.answers }, handlers: [...settings.handlers, ...handlers] }
}

const isMswHandler = (value: unknown): boolean => typeof value === 'object' && value !== null && 'info' in value && 'test' in value

type UncheckedOptions = Readonly<Record<'at' | 'cache' | 'seed' | 'allowHost' | 'standIns', unknown>> & Pick<OwnOptions, 'route' | 'budget'>

/** Checks options that may come from untyped code. @throws OptionsError for the first value of the wrong type. */
function checkValues(caller: string, options: UncheckedOptions): void {
  const { at, route, budget, cache, seed, allowHost, standIns } = options
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
