import path from 'node:path'
import { OptionsError, checkKnownOptions } from '../../trace/errors/options-error.ts'
import { encodeTrace } from '../../trace/codec/encoder.ts'
import type { Trace } from '../../trace/trace.ts'
import { locateTrace } from '../../replay/traces/locate-trace.ts'
import { readStoredTrace } from '../../replay/traces/read-trace.ts'
import type { StoredTrace } from '../../stores/trace-store.ts'
import { omitUndefined } from '../../trace/json.ts'
import { type ApartRequest, inspectError, ReplayApart } from './inspect-apart.ts'
import type { InspectAnswer } from './inspect-request.ts'
import { defaultLimits, type InspectedRun, type InspectLimits } from './inspected-run.ts'

/** The options of `inspect`. */
export interface InspectOptions {
  /** The step to read. Default: all steps. */
  readonly at?: number
  /** The agent, relative to the working directory: `./src/agent.ts#supportAgent`. Default: the agent that the config names. */
  readonly agent?: string
  /** The directory whose `goldenrun.config.ts` is used. Default: the golden's directory; for a recording, the working directory. */
  readonly config?: string
  /** Whether the functions of all wrapped tools run. Default: as the config says, else `stub`. */
  readonly tools?: 'stub' | 'run'
  /** How much of each variable is read. Default: 6 levels, 40 items, 2,000 characters, 4,000 values at each stop. */
  readonly limits?: Partial<InspectLimits>
  /** The store of recordings, for a trace named by its id. Default: `.goldenrun/runs`. */
  readonly store?: string
}

/**
 * Reads the agent's own variables at every step of a recorded run. The run is replayed in its own process under V8's inspector, which stops before
 * each call and where the function continues. Reading runs none of the agent's code. Values are redacted as the trace is, and values of environment
 * variables are masked.
 *
 * @param trace A golden's name, a path to a trace, a recording's id, or a loaded trace.
 * @returns The frames of each step. Recording needs no preparation: any recorded run can be inspected.
 * @throws GoldenrunError `GOLDENRUN_INSPECT` if the inspected replay differs from the same replay without an inspector, `GOLDENRUN_NO_AGENT`
 * if no config names the agent, OptionsError for an unknown option, and the errors of `readTrace`.
 *
 * @example
 * const { steps } = await inspect('refund-twice', { at: 7 })
 * steps[0]?.frames[0]?.scopes[0]?.variables
 */
export async function inspect(trace: string | Trace, options: InspectOptions = {}): Promise<InspectedRun> {
  checkKnownOptions('inspect', options, ['at', 'agent', 'config', 'tools', 'limits', 'store'])
  checkInspectOptions(options)
  const stored = typeof trace === 'string' ? await locateTrace(trace, omitUndefined({ store: options.store })) : storedOf(trace)
  return await inspectStored(stored, options)
}

/** Inspects a trace that was already located. */
export async function inspectStored(stored: StoredTrace, options: InspectOptions = {}): Promise<InspectedRun> {
  const { trace } = await readStoredTrace(stored)
  const { at } = options
  if (at !== undefined && !trace.steps.some(({ step }) => step === at)) throw noSuchStep(trace, at)
  const apart = new ReplayApart(stored.file, stored.text)
  const { read } = await readApart(apart, requestFor(trace, stored.file, options), trace).finally(() => apart.close())
  const steps = (read.steps ?? []).filter(({ step }) => at === undefined || step === at)
  const { outcome, hash, divergence } = read
  const stoppedAt = outcome === 'stopped' ? divergence?.step : undefined
  return { name: trace.header.golden?.name ?? trace.header.id, outcome, hash, steps, ...omitUndefined({ stoppedAt }) }
}

/** @throws OptionsError for an invalid value of an option. */
function checkInspectOptions({ at, tools, limits = {} }: InspectOptions): void {
  const say = (option: string, problem: string): OptionsError => new OptionsError('inspect', option, problem)
  if (at !== undefined && !Number.isSafeInteger(at)) throw say('at', `has to be a step number, got ${JSON.stringify(at)}.`)
  if (tools !== undefined && !['stub', 'run'].includes(tools)) throw say('tools', `has to be stub or run, got ${JSON.stringify(tools)}.`)
  checkKnownOptions('inspect: limits', limits, Object.keys(defaultLimits))
  for (const [name, limit] of Object.entries(limits)) {
    if (!Number.isSafeInteger(limit) || limit < 0)
      throw say(
        `limits.${name}`,
        `has to be a whole number of 0 or more, got ${typeof limit === 'number' ? limit : JSON.stringify(limit)}.`,
      )
  }
}

/** Returns the part of a request that all replays of a run share. */
export function requestFor(trace: Trace, file: string, { agent, config, tools, limits }: InspectOptions): Omit<ApartRequest, 'mode'> {
  const beside = trace.header.golden === undefined ? process.cwd() : path.dirname(path.resolve(file))
  return { configDirectory: path.resolve(config ?? beside), limits: { ...defaultLimits, ...limits }, ...omitUndefined({ agent, tools }) }
}

/**
 * Finds the places of the calls. Then reads the variables there, or only numbers the visits.
 *
 * @throws GoldenrunError `GOLDENRUN_INSPECT` if reading changed what the agent did.
 */
export async function readApart(
  apart: ReplayApart,
  request: Omit<ApartRequest, 'mode'>,
  trace: Trace,
  mode: 'visit' | 'read' = 'read',
): Promise<{ readonly found: InspectAnswer; readonly read: InspectAnswer }> {
  const found = await apart.ask({ ...request, mode: 'find' })
  const places = found.found ?? { places: [], ofCall: [] }
  const read = await apart.ask({ ...request, mode, places })
  // A replay without a divergence has the hash of its trace, so replaying again without a debugger would show the same.
  if (read.hash === trace.hash && read.identity === found.identity) return { found, read }
  const plain = await apart.ask({ ...request, mode: 'plain' })
  if (plain.identity !== read.identity)
    throw inspectError(
      'The replay with an inspector differs from the one without, so nothing is shown. The agent depends on real time, or on what other runs left in its process. ' +
        'npx goldenrun replay shows whether it replays at all.',
    )
  return { found, read }
}

/** @throws OptionsError */
function noSuchStep(trace: Trace, at: number): OptionsError {
  const last = trace.steps.at(-1)?.step ?? 0
  return new OptionsError('inspect', 'at', `has to be a step of the run, 1 to ${last}, got ${at}.`)
}

function storedOf(trace: Trace): StoredTrace {
  return { file: trace.header.golden?.name ?? trace.header.id, text: encodeTrace(trace) }
}
