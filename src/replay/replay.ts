import { installDoorsOverFakes } from '../boundaries/doors.ts'
import { answeredFiles } from '../boundaries/files/answered-files.ts'
import { answerFiles } from '../boundaries/files/run-files.ts'
import { displayPath } from '../node/display-path.ts'
import { type Restore, combine } from '../boundaries/patches.ts'
import { wrapHandedOut } from '../run/handed-out/wrap-handed-out.ts'
import { withAsyncStacks } from '../run/async-stacks.ts'
import { runInScope, runOutside } from '../run/scope.ts'
import { ownCommand } from '../stores/package-manager.ts'
import { isUnwritten } from '../trace/unkept-value.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { Settled } from '../trace/rows.ts'
import type { Expectation } from '../trace/run-row.ts'
import type { Trace } from '../trace/trace.ts'
import { copyValue } from '../trace/values.ts'
import { type Brought, broughtBy } from './result/trusted-stand-ins.ts'
import type { ReplayedRun, RunBy } from './contract/replayed-run.ts'
import { HandedOutReader } from './answers/handed-out-reader.ts'
import type { Departure } from './judge/incident/incident.ts'
import { withProcessState } from './result/process-state.ts'
import { readTraceAndFile } from './traces/read-trace.ts'
import { type ReplayedTrace, beginReplayTelemetry } from './result/replay-telemetry.ts'
import { EarlierRunError } from './earlier-run-error.ts'
import { findConversation } from './traces/conversation.ts'
import { quietRefusals } from './quiet-refusals.ts'
import { readEarlier } from './traces/earlier-goldens.ts'
import { RecordedSignals } from './engine/recorded-signals.ts'
import { ReplayingRun } from './replaying-run.ts'
import { type MadeCall, type ReplayOptions, type ReplaySettings, toSettings } from './contract/replay-options.ts'
import { checkRecorded, checkReplayed } from './contract/check-schema.ts'
import type { RunSchema } from './contract/run-schema.ts'
import { useSurroundings } from './engine/surroundings.ts'
import { countReplay } from './replay-count.ts'
import { toReplayedRun } from './result/to-replayed-run.ts'
import { watchNative } from './watch-native.ts'
import { guardLost } from '../boundaries/contact/guard.ts'
import { isTelemetryContact } from '../http/telemetry/telemetry-hosts.ts'
import { withoutStandIns } from '../divergence/stand-ins.ts'
import { createRedactor } from '../redaction/redactor.ts'
import { redactorStandIns } from '../redaction/trace-stand-ins.ts'
import { recordedRuleSet } from '../redaction/rule-set.ts'

/**
 * Runs an agent's code against a recorded run: every boundary is answered from the trace, in the recorded order, with no network and no
 * wall time. An incident golden (`expect: { replay: 'departs' }`) is followed until the agent departs from it, and then continues with the
 * answers in the golden.
 *
 * @param trace A golden's name, a path to a trace, a recording's id, or a loaded trace. The folder of a conversation (`refund-talk`) means
 * all of its runs, in order: the result is that of the last one, or of the first that does not hold.
 * @param agent The agent, unchanged: called with the recorded input and `options.context`.
 * @returns The result of the replay. A divergence does not reject; use `expect(run).toReplayWithoutDivergence()`.
 * @throws GoldenrunError for a trace that cannot be read, is not of `options.agent` or does not fit `options.schema`, for an unknown
 * option, or a normalizer that throws.
 *
 * @example
 * const run = await replay('cancel-unshipped', supportAgent)
 */
export async function replay<Output, Context = unknown, Schema extends RunSchema = RunSchema>(
  trace: string | Trace,
  agent: (input: never, context: Context) => Output,
  options: ReplayOptions<Context, Schema> = {},
): Promise<RunBy<Schema, Awaited<Output>>> {
  const last = typeof trace === 'string' ? await runOutside(() => findConversation(trace)) : undefined
  if (last !== undefined) return await replayConversation(last, agent, options)
  const read = await resolveTrace(trace, options)
  const expectation = read.trace.header.golden?.expect
  const settings = settingsFor('replay', expectation, options)
  const body = (): Promise<ReplayedRun> => runReplay(read, agent, options, settings)
  const run = await (options.traceCallSites === true ? withAsyncStacks(body) : body())
  return withProcessState(run, agent, options as ReplayOptions) as unknown as RunBy<Schema, Awaited<Output>>
}

/** Replays a whole conversation. Returns the result of its last run, or of the first that does not hold. */
async function replayConversation<Output, Context, Schema extends RunSchema>(
  last: string,
  agent: (input: never, context: Context) => Output,
  options: ReplayOptions<Context, Schema>,
): Promise<RunBy<Schema, Awaited<Output>>> {
  try {
    return await replay(last, agent, options)
  } catch (error) {
    if (EarlierRunError.isInstance(error)) return error.run as unknown as RunBy<Schema, Awaited<Output>>
    throw error
  }
}

/**
 * Replays the recorded run, whatever the golden expects. Continues past every difference, and also returns the values that the agent's own
 * code passed, and its credentials of unknown origin, by the stand-ins of the recorded ones.
 */
export async function replayToPromote(
  trace: Trace,
  agent: (input: never, context: unknown) => unknown,
  options: ReplayOptions,
): Promise<{ readonly run: ReplayedRun; readonly brought: Brought; readonly ofUnknownOrigin: ReadonlyMap<string, string> }> {
  let brought: Brought | undefined
  let ofUnknownOrigin: ReadonlyMap<string, string> = new Map()
  const settings = toSettings('replay', { ...options, onDivergence: 'continue' })
  const run = await runReplay({ trace }, agent, options, settings, (replaying, settled) => {
    brought = broughtBy(trace, replaying, settled)
    ofUnknownOrigin = replaying.findings.credentials.ofUnknownOrigin
  })
  if (brought === undefined) throw new TypeError('the finished replay was not inspected')
  return { run, brought, ofUnknownOrigin }
}

/**
 * Like `replay`, but calls `onCall` for each call that the agent makes.
 *
 * @param look Called with the finished run. By then, its calls have their steps.
 */
export async function replayWatched(
  trace: Trace,
  agent: (input: never, context: unknown) => unknown,
  options: ReplayOptions,
  onCall: (call: MadeCall) => void,
  look: (run: Pick<ReplayingRun, 'calls'>) => void,
): Promise<ReplayedRun> {
  const settings = settingsFor('replay', trace.header.golden?.expect, options)
  return await runReplay({ trace }, agent, options, { ...settings, onCall }, look)
}

/** Runs an agent against a trace, once. @param look Called with the finished run. */
export async function runReplay<Context>(
  read: ReplayedTrace,
  agent: (input: never, context: Context) => unknown,
  options: ReplayOptions<Context>,
  settings: ReplaySettings,
  look: (run: ReplayingRun, settled: Settled | undefined) => void = () => undefined,
): Promise<ReplayedRun> {
  const { trace } = read
  countReplay()
  await replayEarlier(trace, options.after, settings, (earlier, own) => runReplay({ trace: earlier }, agent, onlyContext(options), own))
  await checkRecorded(settings.schema, trace)
  const input = settings.given === undefined ? inputOf(trace) : settings.given.input
  const release = combine(installDoorsOverFakes(), await useSurroundings(trace.header.runtime))
  const over = Promise.withResolvers<void>()
  const run = new ReplayingRun(trace, settings, over.resolve)
  let settled: Settled | undefined
  const { files, own } = answeredFiles(run, trace)
  const removeFiles = answerFiles(run, files)
  const unguard = combine(quietRefusals(), guardRun(run, settings))
  const native = watchNative(run, settings)
  const scope = { run, owner: 0 }
  const signals = new RecordedSignals(trace, run.plan.before)
  const reader = new HandedOutReader(trace)
  run.onSignal = (name, value) => {
    signals.abort(name, value)
    reader.signal(name, value)
  }
  const context = signals.placeIn(options.context) as Context
  const telemetry = beginReplayTelemetry(options.telemetry, read)
  const callAgent = (): unknown => runInScope(scope, () => agent(input as never, context))
  const start = async (): Promise<void> => {
    try {
      const output: unknown = await (telemetry === undefined ? callAgent() : telemetry.inRun(callAgent))
      const handedOut = wrapHandedOut(output, scope, {
        ...unwatched,
        describesHeaders: reader.describesHeaders,
        hands: (part) => run.findings.pieces.hands(part, run),
        ends: (end) => (settled = end),
      })
      if (handedOut === undefined) settled = { output }
      else await reader.read(handedOut.value)
    } catch (error) {
      settled = { error }
    }
    run.finish(settled)
  }
  try {
    const begun = native.begin()
    if (begun !== undefined) await begun
    void start()
    run.conductor.wake()
    await over.promise
    const looked = native.end()
    if (looked !== undefined) await looked
  } finally {
    unguard()
    release()
    run.changedFiles = own.changed().map(displayPath)
    removeFiles()
  }
  const again: ReplayedRun['again'] = (chance = settings.chance) =>
    runReplay(read, agent, fromFirst(options), chance === undefined ? settings : { ...settings, chance })
  const replayed = toReplayedRun(trace, run, settled, again)
  look(run, settled)
  telemetry?.end(replayed)
  const failure = settings.rules.failure ?? settings.misused.failure
  if (failure !== undefined) throw failure
  await checkReplayed(settings.schema, replayed)
  return replayed
}

/** Returns a copy of the recorded input. @throws GoldenrunError if only the run's journal is left. */
function inputOf({ header: { id, input } }: Trace): unknown {
  if (!isUnwritten(input)) return copyValue(input)
  throw new GoldenrunError(
    'GOLDENRUN_INPUT_UNKNOWN',
    `The input of the run "${id}" is not known, so no agent can replay it: the process died, or the disk was full, before the input was written. ` +
      `Only side effects are left, from its journal. To see them: ${ownCommand(`show ${id}`)}`,
  )
}

/**
 * Brings the process to the state in which the run began: replays the earlier runs of its conversation, in order.
 *
 * @param after The earlier runs. Default: the goldens that the golden follows.
 * @param replayOne Replays one of them, with the same agent and context.
 * @throws EarlierRunError if one of them does not hold, because the run itself would then prove nothing.
 */
async function replayEarlier(
  trace: Trace,
  after: readonly Trace[] | undefined,
  settings: ReplaySettings,
  replayOne: (earlier: Trace, settings: ReplaySettings) => Promise<ReplayedRun>,
): Promise<void> {
  const isAlone = after === undefined && trace.header.golden?.follows === undefined
  if (isAlone) return
  for (const earlier of after ?? (await runOutside(() => readEarlier(trace)))) {
    const run = await replayOne(earlier, toEarlier(settings))
    if (run.divergences.length > 0 || run.outcome.status === 'stopped') throw new EarlierRunError(trace, run)
  }
}

/** Leaves out settings that only concern the last run: an incident's answers, a fork's edits, the schema of its outcome. */
function toEarlier(settings: ReplaySettings): ReplaySettings {
  const { rules, ambient, mute, record, redact, live, guard, misused, substitutes, handlers, allowModelDrift, departure, running } =
    settings
  const answers = departure === undefined ? settings.answers : {}
  const same = { rules, ambient, mute, record, redact, live, guard, misused, substitutes, handlers, allowModelDrift, answers, running }
  return { ...same, mode: 'stop', schema: {} }
}

/** Removes the mark that the process has just replayed the earlier runs of the conversation. */
function fromFirst<Context>({ after, ...options }: ReplayOptions<Context>): ReplayOptions<Context> {
  return after === undefined || after.length === 0 ? options : { ...options, after }
}

/** The options for an earlier run of a conversation, without runs before it. */
function onlyContext<Context>({ context }: ReplayOptions<Context>): ReplayOptions<Context> {
  return { after: [], ...(context !== undefined && { context }) }
}

const unwatched = { reads: () => undefined, gives: () => undefined, leaves: () => undefined }

function settingsFor(caller: string, expectation: Expectation | undefined, options: ReplayOptions): ReplaySettings {
  if (expectation?.replay !== 'departs') return toSettings(caller, options)
  const answers = { ...expectation.answers, ...options.answers }
  return { ...toSettings(caller, { ...options, answers, ...toolsOf(expectation, options) }, 'fork'), departure: expectation }
}

/** The tools that the golden runs, merged with the caller's option. */
function toolsOf({ tools }: Departure, options: ReplayOptions): Pick<ReplayOptions, 'tools'> {
  if (tools === undefined || (options.tools !== undefined && typeof options.tools !== 'object')) return {}
  return { tools: { ...tools, ...options.tools } }
}

/** Reads a trace, and checks that it belongs to `options.agent`. */
export async function resolveTrace(trace: string | Trace, options: ReplayOptions): Promise<ReplayedTrace> {
  const read: ReplayedTrace =
    typeof trace === 'string'
      ? await runOutside(() => readTraceAndFile(trace, options.store === undefined ? {} : { store: options.store }))
      : { trace }
  const { agent } = options
  const { header } = read.trace
  if (agent !== undefined && !isOfAgent(read.trace, agent)) {
    throw new GoldenrunError(
      'GOLDENRUN_OTHER_AGENT',
      `The trace "${header.golden?.name ?? header.id}" is a run of the agent "${header.agent}", not of "${agent}". ` +
        'Replay it with that agent, or correct the name.',
    )
  }
  return read
}

/**
 * Until the run is over, refuses contacts that belong neither to the run nor to a test, and reports them as divergences of the run, because
 * the agent's modules make them. Telemetry is refused without a report.
 */
function guardRun(run: ReplayingRun, { guard, live }: ReplaySettings): Restore {
  if (guard === 'run') return () => undefined
  return guardLost({
    live,
    onRefused({ door, host }) {
      if (isTelemetryContact(host, run.leftOut.telemetry)) return
      run.log.contact(`${door} ${host}`)
      run.findings.contact({ door, host }, { isLost: true })
      run.conductor.wake()
    },
  })
}

/** Whether a run belongs to an agent, whose name is redacted in the trace. */
function isOfAgent(trace: Trace, name: string): boolean {
  const { agent, redaction } = trace.header
  if (agent === name) return true
  const redactor = createRedactor({ ruleSet: recordedRuleSet(redaction), standIns: redactorStandIns(trace) })
  return withoutStandIns(agent, redactor.standIns) === withoutStandIns(redactor.text(name), redactor.standIns)
}
