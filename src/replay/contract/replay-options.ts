import { isProcessGuarded } from '../../boundaries/contact/guards.ts'
import { telemetryHosts } from '../../http/muted-hosts.ts'
import { isInTest } from '../../run/scope.ts'
import { checkRedactOptions, type RedactOptions } from '../../redaction/redact-options.ts'
import { checkTelemetry } from '../../record/telemetry/check-telemetry.ts'
import type { Telemetry } from '../../record/telemetry/telemetry.ts'
import { type Normalizer, PathRules } from '../../divergence/path-rules.ts'
import { checkKnownOptions, OptionsError } from '../../trace/errors/options-error.ts'
import { MisusedOptions } from './misused-options.ts'
import type { Chance } from './chance.ts'
import type { Departure } from '../judge/incident/incident.ts'
import { checkRunSchema } from './check-schema.ts'
import type { RunSchema } from './run-schema.ts'

/** What happens to the function of a wrapped tool: it is answered from the trace, it runs, or another runs in its place. */
export type ToolMode = 'stub' | 'run' | ((args: never) => unknown)

/**
 * A request handler of MSW 2 or 3, as `http.post(…)` makes it. Told by what it has, and not by the name that MSW gives it: who has no MSW installed
 * can compile against this package.
 */
export interface MswHandler {
  readonly kind?: string
  readonly info: { readonly header: string }
  readonly test: (given: { request: Request }) => Promise<boolean>
}

/** How a trace is replayed. */
export interface ReplayOptions<Context = unknown, Schema extends RunSchema = RunSchema> {
  /**
   * `stop` refuses a call that the trace does not have at once, and settles the run even if the agent swallows the error. `continue` answers
   * it with the nearest recorded answer, where there is one, and marks what follows as its consequence. Default: `stop`.
   */
  readonly onDivergence?: 'stop' | 'continue'
  /** For all wrapped tools, or by name. A tool that runs is answered at the boundaries inside it. Default: `stub`. */
  readonly tools?: ToolMode | Readonly<Record<string, ToolMode>>
  /** What the agent is given beside its input. Default: none. */
  readonly context?: Context
  /** Answers for calls that the trace does not have, by tool, host or boundary name: a value, or a function of the call's input. Default: none. */
  readonly answers?: Readonly<Record<string, unknown>>
  /** MSW request handlers for HTTP calls that the trace does not have. Default: none. */
  readonly handlers?: readonly MswHandler[]
  /**
   * Hosts, and names of tools and externals, that are answered any number of times, none included, from the latest recorded answer, beside those
   * that the recorder was told. Default: none.
   */
  readonly ambient?: readonly string[]
  /** Hosts that are answered with success and neither recorded nor compared, beside the well-known ones of telemetry. Default: none. */
  readonly mute?: readonly string[]
  /**
   * Hosts that are called for real, with their port or without; `localhost` stands for every loopback address. What goes there is neither recorded
   * nor compared. A replay waits for calls over HTTP, and not for long where another protocol is used. Default: none.
   */
  readonly live?: readonly string[]
  /**
   * What is kept from the world beside the run: `process`, whatever belongs neither to a run nor to a test, as a module's worker or timer does, is refused
   * while the replay goes on, and found; `run`, nothing. Default: `process` in tests of Vitest's and Jest's, in golden files and commands; else `run`, as
   * nobody says there what is a test's own.
   */
  readonly guard?: 'process' | 'run'
  /**
   * Places that are not compared, as reports print them: `messages[*].metadata.requestId`, `args.at`, `headers["x-tenant"]`, `query.page`,
   * `output.id`, `state.order.at`; `[*]` is every field or item. Default: none.
   */
  readonly ignore?: readonly string[]
  /**
   * What is made of values before they are compared, in the recording and in the replay alike: by place, `uuid` and `date` (one word for each
   * in a text), `whitespace` (runs of it are one space), `sorted` (a list's order says nothing), or a function. Default: none.
   */
  readonly normalize?: Readonly<Record<string, Normalizer>>
  /** Models that may stand in for recorded ones, both names in full. Default: none. */
  readonly allowModelDrift?: readonly ModelDrift[]
  /**
   * Redaction beside what the trace was recorded with, whose names, paths and patterns stand in it: rules that are functions, and what is public.
   * Default: none.
   */
  readonly redact?: Omit<RedactOptions, 'draws'>
  /**
   * Standard Schemas (zod, valibot, arktype) of what the agent returns and of its checkpoints' states. They type `run.outcome` and
   * `run.checkpoints`; a recorded run that does not fit them, or a replay that holds and does not, is an error and no divergence. Default: none.
   */
  readonly schema?: Schema
  /**
   * Where a replay fails and only a package's line is known of the call, runs the agent once more with asynchronous stacks to find its own line:
   * tools that run in the replay, functions in `answers` and handlers run twice, with the same `context`. With `live` hosts nothing is run again.
   * A second run that does something else is a divergence of its own, `nondeterminism`. Golden files and commands do this where nothing but
   * the agent would run twice. Default: false.
   */
  readonly traceCallSites?: boolean
  /** The agent that the trace has to be of. Default: any. */
  readonly agent?: string
  /** Where recordings live, for a trace named by its id. Default: `.goldenrun/runs`. */
  readonly store?: string
  /** Who is told of the replay, and of each divergence: `otel()` of `goldenrun/otel` makes a span of it. Default: nobody. */
  readonly telemetry?: Telemetry
}

/** A model that answers where another was recorded. */
export interface ModelDrift {
  readonly from: string
  readonly to: string
}

/** The options as the engine reads them. */
export interface ReplaySettings {
  /** `fork` goes on past what the trace has, with the answers given. */
  readonly mode: 'stop' | 'continue' | 'fork'
  readonly answers: Readonly<Record<string, unknown>>
  readonly handlers: readonly MswHandler[]
  readonly allowModelDrift: readonly ModelDrift[]
  /** What is not compared as it is. */
  readonly rules: PathRules
  readonly ambient: readonly string[]
  readonly mute: readonly string[]
  readonly redact: RedactOptions | undefined
  readonly live: readonly string[]
  readonly guard: 'process' | 'run'
  readonly schema: RunSchema
  /** What the golden of an incident expects. */
  readonly departure?: Departure
  readonly misused: MisusedOptions
  /** What the run draws that the trace does not have. Default: what the trace's id gives, at virtual time. */
  readonly chance?: Chance
  /** Functions that run in the place of tools. */
  readonly substitutes: ReadonlyMap<string, (args: unknown) => unknown>
  /** Whether a tool's own function runs. */
  running(tool: string): boolean
}

/** The names of the options of `replay`. */
export const knownOptions: readonly string[] = [
  'onDivergence',
  'tools',
  'context',
  'answers',
  'handlers',
  'ignore',
  'normalize',
  'allowModelDrift',
  'ambient',
  'mute',
  'redact',
  'live',
  'guard',
  'schema',
  'traceCallSites',
  'agent',
  'store',
  'telemetry',
]

/** @throws OptionsError for an option that is not known, or one of the wrong value. */
export function toSettings(
  caller: string,
  options: ReplayOptions,
  mode: ReplaySettings['mode'] = options.onDivergence ?? 'stop',
): ReplaySettings {
  // A fork goes on by what it is.
  checkKnownOptions(caller, options, caller === 'fork' ? knownOptions.filter((name) => name !== 'onDivergence') : knownOptions)
  checkRedactOptions(caller, options.redact)
  const { onDivergence, tools = 'stub', schema = {} } = options
  checkRunSchema(caller, schema)
  checkTelemetry(caller, options.telemetry)
  if (onDivergence !== undefined && onDivergence !== 'stop' && onDivergence !== 'continue') {
    throw new OptionsError(caller, 'onDivergence', `has to be "stop" or "continue", got ${JSON.stringify(onDivergence)}.`)
  }
  if (options.guard !== undefined && options.guard !== 'process' && options.guard !== 'run') {
    throw new OptionsError(caller, 'guard', `has to be "process" or "run", got ${JSON.stringify(options.guard)}.`)
  }
  const byName = typeof tools === 'object' ? tools : {}
  const general = typeof tools === 'object' ? 'stub' : tools
  const modeOf = (tool: string): ToolMode => byName[tool] ?? general
  const substitutes = Object.entries(byName).flatMap(([name, value]) => (typeof value === 'function' ? [[name, value] as const] : []))
  return {
    mode,
    answers: options.answers ?? {},
    handlers: options.handlers ?? [],
    allowModelDrift: readModelDrift(caller, options.allowModelDrift ?? []),
    rules: readRules(caller, options),
    ambient: options.ambient ?? [],
    mute: [...telemetryHosts, ...(options.mute ?? [])],
    redact: options.redact,
    live: options.live ?? [],
    guard: options.guard ?? (isInTest() || isProcessGuarded() ? 'process' : 'run'),
    schema,
    substitutes: new Map(substitutes.map(([name, body]) => [name, (args) => Reflect.apply(body, undefined, [args])])),
    misused: new MisusedOptions(caller),
    running: (tool) => modeOf(tool) === 'run',
  }
}

function readModelDrift(caller: string, drifts: readonly ModelDrift[]): readonly ModelDrift[] {
  const isNamed = (name: unknown): boolean => typeof name === 'string' && name !== ''
  const wrong = drifts.find(({ from, to }) => !isNamed(from) || !isNamed(to))
  if (wrong === undefined) return drifts
  throw new OptionsError(caller, 'allowModelDrift', `has to name both models, { from, to }, got ${JSON.stringify(wrong)}.`)
}

function readRules(caller: string, { ignore, normalize }: ReplayOptions): PathRules {
  return new PathRules({ ...(ignore && { ignore }), ...(normalize && { normalize }) }, (option, problem) => {
    throw new OptionsError(caller, option, problem)
  })
}
