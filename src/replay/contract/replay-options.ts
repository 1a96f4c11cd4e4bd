import { isProcessGuarded } from '../../boundaries/contact/guards.ts'
import { isMcpName } from '../../models/mcp.ts'
import type { SandboxFile } from '../../run/active-run.ts'
import { isInTest } from '../../run/scope.ts'
import { type RedactOptions, checkRedactOptions } from '../../redaction/redact-options.ts'
import { checkTelemetry } from '../../record/telemetry/check-telemetry.ts'
import type { Telemetry } from '../../record/telemetry/telemetry.ts'
import { type Normalizer, PathRules } from '../../divergence/path-rules.ts'
import { OptionsError, checkKnownOptions, checkNamedUrls, checkOneOf } from '../../trace/errors/options-error.ts'
import type { Trace } from '../../trace/trace.ts'
import type { Chance } from './replayed-run.ts'
import type { CallRouter, RouterContext } from '../judge/call-router.ts'
import type { Departure } from '../judge/incident/incident.ts'
import { checkRunSchema } from './check-schema.ts'
import type { RunSchema } from './run-schema.ts'

/** How a wrapped tool is replayed: answered from the trace, run, or replaced by a different function. */
export type ToolMode = 'stub' | 'run' | ((args: never) => unknown)

/**
 * A request handler of MSW 2 or 3, such as `http.post(…)` returns. Typed structurally instead of by MSW's own type, so that this package
 * compiles without MSW.
 */
export interface MswHandler {
  readonly kind?: string
  readonly info: { readonly header: string }
  readonly test: (given: { request: Request }) => Promise<boolean>
}

/** The options of `replay`. */
export interface ReplayOptions<Context = unknown, Schema extends RunSchema = RunSchema> {
  /**
   * `stop` immediately refuses a call that the trace does not have, and settles the run even if the agent swallows the error. `continue`
   * answers it with the nearest recorded answer, if any, and marks what follows as a consequence. Default: `stop`.
   */
  readonly onDivergence?: 'stop' | 'continue'
  /**
   * Traces to replay first, in this order, with the same agent and context, so that the process has the state that it had when the run began.
   * If one of them does not hold, the replay rejects. Default: the goldens that a golden follows.
   */
  readonly after?: readonly Trace[]
  /** For all wrapped tools, or by name. Inside a tool that runs, boundaries are answered from the trace. Default: `stub`. */
  readonly tools?: ToolMode | Readonly<Record<string, ToolMode>>
  /** The agent's second argument. Default: none. */
  readonly context?: Context
  /**
   * Answers for calls that the trace does not have, by tool, host or boundary name: a value, a function of the call's input, or an `Error` with which
   * the call fails. Default: none.
   */
  readonly answers?: Readonly<Record<string, unknown>>
  /** MSW request handlers for HTTP calls that the trace does not have. Default: none. */
  readonly handlers?: readonly MswHandler[]
  /**
   * Hosts, URLs that requests begin with, and names of tools and externals, that may be called any number of times or not at all and get the
   * latest recorded answer, in addition to those passed to the recorder. Default: none.
   */
  readonly ambient?: readonly string[]
  /**
   * Requests that are answered with success and neither recorded nor compared, in addition to known telemetry: hosts with their subdomains
   * (`telemetry.example`), and URLs that they begin with (`https://api.example/v1/track`). Default: none.
   */
  readonly mute?: readonly string[]
  /** Requests that are compared although they are telemetry or named in `mute`: hosts and URLs, as in `mute`. Default: none. */
  readonly record?: readonly string[]
  /**
   * Hosts that are really called, with or without a port; `localhost` means every loopback address. Calls to them are neither recorded nor
   * compared. A replay waits for HTTP calls to them, but not long for other protocols. Default: none.
   */
  readonly live?: readonly string[]
  /**
   * Whether contacts outside of the run are refused, too. `process`: contacts that belong neither to a run nor to a test, such as those of a
   * module's worker or timer, are refused and reported as divergences while the replay is in progress. `run`: they are allowed. Default:
   * `process` in Vitest and Jest tests, golden files and commands; otherwise `run`, because a test's own contacts are not known there.
   */
  readonly guard?: 'process' | 'run'
  /**
   * Paths that are not compared, as reports print them: `messages[*].metadata.requestId`, `args.at`, `headers["x-tenant"]`, `query.page`,
   * `output.id`, `state.order.at`; `[*]` means every field or item. Default: none.
   */
  readonly ignore?: readonly string[]
  /**
   * Request headers that are not compared, by name in any case: `{ ignore: ['x-tenant'] }`. Unlike a path of `ignore`, a name may be in no request.
   * Default: none, but those of [the table](headers.md#what-is-left-out).
   */
  readonly headers?: HeaderOptions
  /**
   * How values are normalized before they are compared, in the recording and in the replay, by path: `uuid` and `date` (replaced by one
   * word), `whitespace` (collapsed to one space), `sorted` (ignores a list's order), or a function. Default: none.
   */
  readonly normalize?: Readonly<Record<string, Normalizer>>
  /** Models that are accepted in place of recorded ones, both with full names. Default: none. */
  readonly allowModelDrift?: readonly ModelDrift[]
  /**
   * Redaction in addition to that of the recording, whose names, paths and patterns are in the trace: rules that are functions, and public
   * values. Default: none.
   */
  readonly redact?: Omit<RedactOptions, 'draws'>
  /**
   * Standard Schemas (zod, valibot, arktype) of what the agent returns and of its checkpoints' states. They type `run.outcome` and
   * `run.checkpoints`; if the recorded run or a replay that holds does not fit them, that is an error, not a divergence. Default: none.
   */
  readonly schema?: Schema
  /**
   * Finds the agent's own line of each call, even if a client hides it behind a queue or a stream: each promise of the run keeps its stack, which
   * makes a call several times slower. Otherwise, a report names the line that waits for such a call. Golden files and commands need no option: they
   * find the line in another process. Default: false.
   */
  readonly traceCallSites?: boolean
  /** The name of the agent that the trace has to belong to. Default: any. */
  readonly agent?: string
  /** Where recordings live, for a trace named by its id. Default: `.goldenrun/runs`. */
  readonly store?: string
  /** Receives the replay and each divergence: `otel()` of `goldenrun/otel` creates a span. Default: none. */
  readonly telemetry?: Telemetry
}

/** Which request headers are not compared. */
export interface HeaderOptions {
  readonly ignore?: readonly string[]
}

/** A model that is accepted in place of a recorded one. */
export interface ModelDrift {
  readonly from: string
  readonly to: string
}

/** A call of a replay, as passed to `onCall`. */
export interface MadeCall {
  /** Its number in this replay, from 1. */
  readonly number: number
  readonly state: 'open' | 'settled'
  readonly delivery: { /** Whether something of the answer has reached the agent. */ readonly hasBegun: boolean }
}

/** The options as the engine reads them. */
export interface ReplaySettings {
  /** `fork` continues past the end of the trace, with the given answers. */
  readonly mode: 'stop' | 'continue' | 'fork'
  readonly answers: Readonly<Record<string, unknown>>
  readonly handlers: readonly MswHandler[]
  readonly allowModelDrift: readonly ModelDrift[]
  /** What is ignored or normalized. */
  readonly rules: PathRules
  readonly ambient: readonly string[]
  readonly mute: readonly string[]
  readonly record: readonly string[]
  readonly redact: RedactOptions | undefined
  readonly live: readonly string[]
  readonly guard: 'process' | 'run'
  readonly schema: RunSchema
  /** The expectation of an incident golden. */
  readonly departure?: Departure
  /** The agent's input in a fork that changes it. */
  readonly given?: { readonly input: unknown }
  /** Creates the router that answers a fork's calls from its step on. */
  readonly router?: (context: RouterContext) => CallRouter
  /** The files that stand in for databases in a fork, by driver. */
  readonly sandboxFiles?: ReadonlyMap<string, SandboxFile>
  readonly misused: MisusedOptions
  /** Called for each call, where the agent makes it. */
  readonly onCall?: (call: MadeCall) => void
  /** The source of draws that the trace does not have. Default: seeded by the trace's id, at virtual time. */
  readonly chance?: Chance
  /** Functions that run in place of tools. */
  readonly substitutes: ReadonlyMap<string, (args: unknown) => unknown>
  /** Whether a tool's own function runs. */
  running(tool: string): boolean
}

/** The names of the options of `replay`. */
export const knownOptions: readonly string[] = [
  'onDivergence',
  'after',
  'tools',
  'context',
  'answers',
  'handlers',
  'ignore',
  'headers',
  'normalize',
  'allowModelDrift',
  'ambient',
  'mute',
  'record',
  'redact',
  'live',
  'guard',
  'schema',
  'traceCallSites',
  'agent',
  'store',
  'telemetry',
]

/** @throws OptionsError for an unknown option, or a wrong value. */
export function toSettings(
  caller: string,
  options: ReplayOptions,
  mode: ReplaySettings['mode'] = options.onDivergence ?? 'stop',
): ReplaySettings {
  // A fork always continues.
  checkKnownOptions(caller, options, caller === 'fork' ? knownOptions.filter((name) => name !== 'onDivergence') : knownOptions)
  checkRedactOptions(caller, options.redact)
  checkNamedUrls(caller, options)
  const { onDivergence, tools = 'stub', schema = {} } = options
  checkRunSchema(caller, schema)
  checkTelemetry(caller, options.telemetry)
  if (onDivergence !== undefined) checkOneOf(caller, 'onDivergence', onDivergence, ['stop', 'continue'])
  if (options.after !== undefined && !Array.isArray(options.after))
    throw new OptionsError(caller, 'after', `has to be a list of traces, as readTrace reads them, got ${JSON.stringify(options.after)}.`)
  if (options.guard !== undefined) checkOneOf(caller, 'guard', options.guard, ['process', 'run'])
  const byName = typeof tools === 'object' ? tools : {}
  const general = typeof tools === 'object' ? 'stub' : tools
  const modeOf = (tool: string): ToolMode => byName[tool] ?? general
  const remote = Object.keys(byName).find((name) => byName[name] === 'run' && isMcpName(name))
  if (remote !== undefined)
    throw new OptionsError(
      caller,
      'tools',
      `has "${remote}": 'run', but the tool runs in an MCP server, which a replay does not start. Give a function that takes its place.`,
    )
  const substitutes = Object.entries(byName).flatMap(([name, value]) => (typeof value === 'function' ? [[name, value] as const] : []))
  return {
    mode,
    answers: options.answers ?? {},
    handlers: options.handlers ?? [],
    allowModelDrift: readModelDrift(caller, options.allowModelDrift ?? []),
    rules: readRules(caller, options),
    ambient: options.ambient ?? [],
    mute: options.mute ?? [],
    record: options.record ?? [],
    redact: options.redact,
    live: options.live ?? [],
    guard: options.guard ?? (isInTest() || isProcessGuarded() ? 'process' : 'run'),
    schema,
    substitutes: new Map(substitutes.map(([name, body]) => [name, (args) => Reflect.apply(body, undefined, [args])])),
    misused: new MisusedOptions(caller),
    running: (tool) => modeOf(tool) === 'run' && !isMcpName(tool),
  }
}

function readModelDrift(caller: string, drifts: readonly ModelDrift[]): readonly ModelDrift[] {
  const isNamed = (name: unknown): boolean => typeof name === 'string' && name !== ''
  const wrong = drifts.find(({ from, to }) => !isNamed(from) || !isNamed(to))
  if (wrong === undefined) return drifts
  throw new OptionsError(caller, 'allowModelDrift', `has to name both models, { from, to }, got ${JSON.stringify(wrong)}.`)
}

function readRules(caller: string, { ignore, normalize, headers }: ReplayOptions): PathRules {
  const names: unknown = headers?.ignore ?? []
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string'))
    throw new OptionsError(caller, 'headers', `has to be { ignore: ['x-name'] }, got ${JSON.stringify(headers)}.`)
  const ignoredHeaders: readonly string[] = names
  return new PathRules({ ...(ignore && { ignore }), ...(normalize && { normalize }), ignoredHeaders }, (option, problem) => {
    throw new OptionsError(caller, option, problem)
  })
}

/** Errors in options that only appear when the options are used. */
class MisusedOptions {
  /** The first of them. The replay rejects with it once it is over. */
  failure: OptionsError | undefined
  readonly #caller: string

  constructor(caller: string) {
    this.#caller = caller
  }

  add(option: string, problem: string): OptionsError {
    const error = new OptionsError(this.#caller, option, problem)
    this.failure ??= error
    return error
  }
}
