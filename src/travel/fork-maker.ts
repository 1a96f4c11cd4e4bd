import { Answers } from '../replay/answers/answers.ts'
import { requestOf } from '../replay/answers/http-delivery.ts'
import { comparedHeadersOf } from '../replay/calls/compared-headers.ts'
import { createPlan, type Plan } from '../replay/calls/plan.ts'
import type { ReplaySettings } from '../replay/contract/replay-options.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { answerTime } from '../replay/judge/answer-time.ts'
import type { RouterContext } from '../replay/judge/call-router.ts'
import type { Divergence } from '../divergence/divergence.ts'
import { resolveTrace, runReplay } from '../replay/replay.ts'
import { runOutside } from '../run/scope.ts'
import { readEarlier } from '../replay/traces/earlier-goldens.ts'
import { digest } from '../replay/traces/digest.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { assembleTrace } from '../trace/assemble.ts'
import type { ForkedFrom } from '../trace/run-row.ts'
import type { Trace } from '../trace/trace.ts'
import { copyValue } from '../trace/values.ts'
import { AnswerCache } from './answer-cache.ts'
import { Budget } from './budget.ts'
import { ForkedCalls } from './forked-calls.ts'
import { type ForkOptions, type OwnOptions, readForkOptions } from './fork-options.ts'
import { type ForkPlace, findForkPoint } from './fork-point.ts'
import { isFileDriver } from './databases/file-drivers.ts'
import { SandboxDatabases } from './databases/sandbox-databases.ts'
import { SandboxFiles } from './databases/sandbox-files.ts'
import { LiveRequests } from './live-requests.ts'
import { OutgoingPolicy } from './outgoing.ts'
import { RecordedAnswers } from './recorded-answers.ts'
import { RequestEditor } from './request-edit.ts'
import { tailTrace } from './tail-trace.ts'

/** Forks of one moment of a trace, and the budget of their live calls. */
export interface PreparedForks {
  readonly trace: Trace
  readonly budget: Budget
  /** @param sample From 0. Each sample has its own ids and random values. */
  make(sample: number): Promise<ReplayedRun>
}

/**
 * Reads a trace and finds the moment to fork.
 *
 * @param caller The function that errors about options name.
 * @param judged For forks judged by the rule of an incident golden: they end at the incident's call.
 */
export async function prepareForks(
  caller: string,
  trace: string | Trace,
  agent: (input: unknown, context: unknown) => unknown,
  options: ForkOptions,
  judged?: JudgedFork,
): Promise<PreparedForks> {
  const { rest, own, settings: given } = readForkOptions(caller, options)
  const budget = new Budget(own.budget)
  const found = await resolveTrace(trace, rest)
  const read = own.state === undefined ? found : { ...found, trace: tailWithState(found.trace, own.state) }
  const settings = goldenSettings(given, read.trace, judged !== undefined)
  const moment = findMoment({ trace: read.trace, settings, own, budget, departsAt: judged?.departsAt })
  const cut = cutTrace(moment)
  const make = async (sample: number): Promise<ReplayedRun> => {
    const seed = own.seed + sample
    const databases = new SandboxDatabases(own.databases)
    const files = new SandboxFiles(own.databases)
    const routed = routerOf(moment, seed, databases.answers)
    let calls: ForkedCalls | undefined
    const forked = {
      ...settings,
      chance: { seed, ahead: own.clock === 'now' ? aheadAt(cut) : 0 },
      sandboxFiles: files.byDriver,
      router: (context: RouterContext) => (calls = routed(context)),
      ...(own.input !== undefined && { given: { input: own.input } }),
    }
    const after = rest.after ?? (await runOutside(() => readEarlier(read.trace)))
    try {
      const run = await runReplay({ ...read, trace: cut }, agent, { ...rest, after }, forked)
      const isOver = run.outcome.status === 'returned' || run.outcome.status === 'threw'
      const unreached = isOver ? calls?.unreached(run.divergences) : undefined
      return unreached === undefined ? run : stopped(run, unreached)
    } finally {
      await databases.close()
      await files.close()
    }
  }
  return { trace: read.trace, budget, make }
}

/** A fork in which the agent ended before its step. */
function stopped(run: ReplayedRun, divergence: Divergence): ReplayedRun {
  return Object.defineProperty(run, 'outcome', { value: { status: 'stopped', divergence }, enumerable: true })
}

/** A fork that an incident golden judges. */
export interface JudgedFork {
  /** The recorded step at which the fork leaves the trace even if the agent does the same there. Default: none. */
  readonly departsAt: number | undefined
}

/** A moment of a recorded run that is forked, any number of times. */
interface ForkMoment {
  readonly trace: Trace
  readonly settings: ReplaySettings
  readonly own: OwnOptions
  readonly budget: Budget
  readonly departsAt: number | undefined
  readonly place: ForkPlace
  /** The plan of the whole recording. */
  readonly plan: Plan
  /** What the fork's trace says about its origin, before calls are routed. */
  readonly forkedFrom: ForkedFrom
}

function findMoment(given: Omit<ForkMoment, 'place' | 'plan' | 'forkedFrom'>): ForkMoment {
  const { trace, own, settings } = given
  const { at, edit } = own
  const place = placeOf(trace, own, settings)
  const changed = ['answer', 'request'].find((name) => name in edit)
  if (at !== undefined && place.step === undefined && changed !== undefined)
    throw new GoldenrunError(
      'GOLDENRUN_FORK_POINT',
      `No call comes after ${JSON.stringify(at)}, so there is nothing whose ${changed} could be edited.`,
    )
  const plan = createPlan(trace)
  const edited = Object.keys(edit).length === 0 ? {} : { edit: copyValue(edit) as Readonly<Record<string, unknown>> }
  return {
    ...given,
    place,
    plan,
    forkedFrom: { id: trace.header.id, step: place.step?.step ?? trace.steps.length + 1, ...edited, routes: {} },
  }
}

/** Returns the part of the trace that the fork follows: the rows before its place, without the golden's expectations of the whole run. */
function cutTrace({ trace: { rows, header }, place: { place }, forkedFrom }: ForkMoment): Trace {
  const { golden: _, ...kept } = header
  // Answers of the rest may be taken as well.
  const standIns = rows.filter((row, index) => index >= place && row.kind === 'stand-in')
  return assembleTrace([{ ...kept, forkedFrom }, ...rows.slice(1, place), ...standIns], digest)
}

/**
 * Makes the router of one fork's calls.
 *
 * @param databases The sandboxes' answers, by driver.
 */
function routerOf(moment: ForkMoment, seed: number, databases: ReplaySettings['answers']): (context: RouterContext) => ForkedCalls {
  const { trace, settings, own, budget, departsAt, place, plan, forkedFrom } = moment
  const { prefix, then, route, edit, clock, cache } = own
  const runsClock = clock !== 'virtual'
  const live = new LiveRequests({
    policy: new OutgoingPolicy(trace, own),
    budget,
    cache: cache === undefined ? undefined : new AnswerCache(cache),
    of: { trace: trace.hash, step: forkedFrom.step, seed },
    runsClock,
  })
  const answers = { [place.step?.name ?? '']: edit.answer }
  return (context) => {
    const side = { rules: settings.rules, redaction: context.redaction, headers: comparedHeadersOf(trace) }
    return new ForkedCalls(
      {
        prefix,
        atDeparture: own.at === undefined,
        departsAt,
        step: place.step,
        then,
        rules: route,
        runsClock,
        ...('answer' in edit && { answer: new Answers({ ...settings, answers, handlers: [] }, 'edit.answer') }),
        ...(edit.request !== undefined && { editor: new RequestEditor(edit.request, side) }),
        effects: plan.effects,
        recorded: new RecordedAnswers(trace, plan, settings.rules, context),
        hasFile: (driver) => Object.hasOwn(own.databases, driver) && isFileDriver(driver),
        sandbox: new Answers({ ...settings, answers: { ...databases, ...settings.answers } }),
        timeOf: (call) => answerTime(plan, call, call.heldAgainst),
        send: (call) => live.send(call, requestOf(call), context),
      },
      context,
    )
  }
}

/** An incident golden has answers for calls that the agent makes instead. A fork that it judges also runs the same tools. */
function goldenSettings(settings: ReplaySettings, { header }: Trace, isJudged: boolean): ReplaySettings {
  const expectation = header.golden?.expect
  if (expectation?.replay !== 'departs') return settings
  const answered = { ...settings, answers: { ...expectation.answers, ...settings.answers } }
  if (!isJudged) return answered
  const running = (tool: string): boolean => Object.hasOwn(expectation.tools ?? {}, tool) || settings.running(tool)
  return { ...answered, departure: expectation, running }
}

/** Returns the place at which the fork leaves the trace. */
function placeOf(trace: Trace, { at, state }: OwnOptions, { running }: ReplaySettings): ForkPlace {
  // The agent starts at the checkpoint.
  if (state !== undefined) return { place: 1, step: trace.steps[0] }
  // Follows the whole trace, until the agent departs from it.
  return at === undefined ? { place: trace.rows.length, step: undefined } : findForkPoint(trace, at, running)
}

/** Returns the trace after a checkpoint, with a different state there. */
function tailWithState(trace: Trace, { checkpoint, state }: NonNullable<OwnOptions['state']>): Trace {
  const tail = tailTrace(trace, checkpoint)
  const { resumedFrom, ...kept } = tail.header
  if (resumedFrom === undefined) throw new TypeError('the tail of a trace does not say where it starts')
  return assembleTrace([{ ...kept, resumedFrom: { ...resumedFrom, state: copyValue(state) } }, ...tail.rows.slice(1)], digest)
}

/** Returns how far real time is ahead of the fork's time at its step, in milliseconds. */
function aheadAt({ header, rows }: Trace): number {
  const last = rows.findLast((row) => 'at' in row)
  return Date.now() - Date.parse(header.startedAt) - (last !== undefined && 'at' in last ? last.at : 0)
}
