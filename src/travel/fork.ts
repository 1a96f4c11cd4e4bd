import { Answers } from '../replay/answers/answers.ts'
import { answerTime } from '../replay/judge/answer-time.ts'
import { createPlan } from '../replay/calls/plan.ts'
import type { ReplayCall } from '../replay/calls/replay-call.ts'
import { type ReplayOptions, type ReplaySettings, toSettings } from '../replay/contract/replay-options.ts'
import type { RunBy } from '../replay/contract/replayed-run.ts'
import type { RunSchema } from '../replay/contract/run-schema.ts'
import { resolveTrace, runReplay } from '../replay/replay.ts'
import { OptionsError, checkKnownOptions } from '../trace/errors/options-error.ts'
import { copyValue } from '../trace/values.ts'
import { cutTrace } from './cut-trace.ts'
import { ForkedCalls, requestOf } from './forked-calls.ts'
import { type ForkPlace, type ForkPoint, findForkPoint } from './fork-point.ts'
import { LiveRequests, type LiveOptions } from './live-requests.ts'
import { RecordedAnswers } from './recorded-answers.ts'
import type { Stage } from '../replay/judge/beyond.ts'
import type { RouteRule, Then } from './routes.ts'
import type { Trace } from '../trace/trace.ts'
import type { ForkedFrom } from '../trace/run-row.ts'

/** What a fork changes. */
export interface ForkEdit<Input = unknown> {
  /**
   * Another answer of the step: a tool's result; of a model `{ text, toolCalls }`, a text, or the provider's JSON; of a request
   * `{ status, headers, json }`; or an `Error` that the call fails with.
   */
  readonly answer?: unknown
  /** Another input of the agent. */
  readonly input?: Input
}

/** The options of `fork`. */
export interface ForkOptions<Input = unknown, Context = unknown, Schema extends RunSchema = RunSchema> extends Omit<
  ReplayOptions<Context, Schema>,
  'onDivergence'
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
   * `virtual`: no wall time is spent. `real`: from `at` on, time passes as it really does: timers fire, recorded answers take as long as
   * recorded. `now`: the same, and the agent's clock shows the real time, for signatures that expire. Default: `real` if calls may go
   * live, else `virtual`.
   */
  readonly clock?: 'virtual' | 'real' | 'now'
  /** Hosts that may be called live in addition to the recorded ones, with or without a port. Default: none. */
  readonly allowHost?: readonly string[]
  /** Real values by stand-in, for live calls whose text was redacted; `send` sends stand-ins as they are. Default: such calls are refused. */
  readonly standIns?: 'send' | Readonly<Record<string, string>>
  /** The seed of ids and random values from `at` on. Default: 0. */
  readonly seed?: number
}

/**
 * Follows a recorded run up to a step, and goes on from there with something changed: another answer, another input, another agent, live
 * models. Without `at`, it follows the run until the agent departs from it: calls that the trace has are answered from it, others from
 * `answers` and `handlers`.
 *
 * @param trace As in `replay`.
 * @returns The fork as a run: its steps from `at` on say which way they went (`route`), `toTrace()` is a trace that can be promoted.
 * @throws OptionsError for an unknown option or a wrong value. GoldenrunError `GOLDENRUN_FORK_POINT` if the run has no such moment.
 *
 * @example
 * const run = await fork('refund-twice', supportAgent, { at: { tool: 'refund_order' }, edit: { answer: new Error('timed out') } })
 */
export async function fork<Input, Output, Context = unknown, Schema extends RunSchema = RunSchema>(
  trace: string | Trace,
  agent: (input: Input, context: Context) => Output,
  options: ForkOptions<Input, Context, Schema> = {},
): Promise<RunBy<Schema, Awaited<Output>>> {
  const { rest, own } = readOptions(options)
  const read = await resolveTrace(trace, rest)
  const settings = toSettings('fork', rest, own.prefix === 'keep' ? 'continue' : 'fork')
  const place = own.at === undefined ? atDeparture(read.trace) : findForkPoint(read.trace, own.at, settings.running)
  const cut = cutTrace(read.trace, place.place, forkedFrom(read.trace, place, own.edit))
  const chance = { seed: own.seed, ahead: own.clock === 'now' ? aheadAt(cut) : 0 }
  const forked = { ...settings, chance, beyond: beyondOf(read.trace, place, settings, own) }
  const run = await runReplay({ ...read, trace: cut }, agent, rest, forked, own.input)
  return run as unknown as RunBy<Schema, Awaited<Output>>
}

/** The whole trace is followed, until the agent departs from it. */
function atDeparture({ rows }: Trace): ForkPlace {
  return { place: rows.length, step: undefined }
}

/** The options that are a fork's own, with their defaults. */
interface OwnOptions extends LiveOptions {
  readonly at: ForkPoint | undefined
  readonly edit: ForkEdit
  readonly input: unknown
  readonly prefix: 'strict' | 'keep'
  readonly then: Then
  readonly route: Readonly<Record<string, RouteRule>>
  readonly clock: 'virtual' | 'real' | 'now'
  readonly seed: number
}

function readOptions<Input, Context, Schema extends RunSchema>(
  options: ForkOptions<Input, Context, Schema>,
): { readonly rest: ReplayOptions<Context, Schema>; readonly own: OwnOptions } {
  const { at, edit = {}, input = edit.input, prefix = 'strict', then = 'recorded', route = {}, clock, allowHost = [], ...others } = options
  const { standIns = 'refuse' as const, seed = 0, ...rest } = others
  checkOneOf('prefix', prefix, ['strict', 'keep'])
  checkOneOf('then', then, ['recorded', 'sandbox', 'live'])
  if (clock !== undefined) checkOneOf('clock', clock, ['virtual', 'real', 'now'])
  checkKnownOptions('fork', edit, ['answer', 'input'])
  if (at === undefined && ('answer' in edit || prefix === 'keep')) {
    throw new OptionsError('fork', prefix === 'keep' ? 'prefix' : 'edit.answer', 'needs `at`, the step where the fork leaves the trace.')
  }
  const mayGoLive = then === 'live' || Object.values(route).some((rule) => typeof rule === 'function' || [rule].flat().includes('live'))
  const own: OwnOptions = {
    at,
    edit,
    input,
    prefix,
    then,
    route,
    clock: clock ?? (mayGoLive ? 'real' : 'virtual'),
    allowHost,
    standIns,
    seed,
  }
  return { rest, own }
}

function checkOneOf(option: string, value: string, known: readonly string[]): void {
  if (known.includes(value)) return
  const list = known.map((name) => JSON.stringify(name)).join(' or ')
  throw new OptionsError('fork', option, `has to be ${list}, got ${JSON.stringify(value)}.`)
}

/** How far the real time is ahead of the fork's at its step. */
function aheadAt({ header, rows }: Trace): number {
  const last = rows.findLast((row) => 'at' in row)
  return Date.now() - Date.parse(header.startedAt) - (last !== undefined && 'at' in last ? last.at : 0)
}

function beyondOf(trace: Trace, { step }: ForkPlace, settings: ReplaySettings, own: OwnOptions): (stage: Stage) => ForkedCalls {
  const { edit, prefix, then, route, clock } = own
  const live = new LiveRequests(trace, own)
  const answered = step === undefined ? {} : { [step.name]: edit.answer }
  const whole = createPlan(
    trace,
    () => false,
    () => true,
  )
  return (stage) =>
    new ForkedCalls(
      {
        prefix,
        atDeparture: own.at === undefined,
        step,
        then,
        rules: route,
        runsClock: clock !== 'virtual',
        ...('answer' in edit && { answer: new Answers({ ...settings, answers: answered, handlers: [] }) }),
        recorded: new RecordedAnswers(trace, settings.rules, stage.redaction, stage.drawn),
        sandbox: new Answers(settings),
        steps: new Map(trace.steps.map((each) => [each.step, each])),
        timeOf: (call: ReplayCall) => answerTime(whole, call, call.heldAgainst),
        send: (call, onStage) => live.send(call, requestOf(call), onStage),
      },
      stage,
    )
}

function forkedFrom({ header, steps }: Trace, { step }: ForkPlace, edit: ForkEdit): ForkedFrom {
  const written = copyValue(edit) as Readonly<Record<string, unknown>>
  return { id: header.id, step: step?.step ?? steps.length + 1, ...(Object.keys(edit).length > 0 && { edit: written }), routes: {} }
}
