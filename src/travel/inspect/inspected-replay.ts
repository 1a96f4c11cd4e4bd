import type { MadeCall, ReplayOptions } from '../../replay/contract/replay-options.ts'
import type { ReplayedRun } from '../../replay/contract/replayed-run.ts'
import { replayWatched } from '../../replay/replay.ts'
import { identityOf } from '../../replay/result/agent-lines.ts'
import type { Trace } from '../../trace/trace.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { CallPlace } from './call-places.ts'
import { type DebuggerReport, type DebuggerThread, startDebugger } from './debugger-thread.ts'
import type { EnvironmentMask } from './environment-mask.ts'
import { FrameRedaction } from './redact-frames.ts'
import type { FoundPlaces, InspectAnswer, InspectRequest } from './inspect-request.ts'
import type { PortAddress } from './port/debugger-port.ts'
import { defaultLimits, type InspectLimits } from './inspected-run.ts'
import { inspectedSteps, type NumberedCall, numberCalls, unreachedStep } from './inspected-steps.ts'
import { HOOK, InspectionHook, STOP_FIELDS } from './inspection-hook.ts'

/** The agent that the config names, with the options of its replay. */
export interface InspectedAgent {
  readonly agent: (input: never, context: unknown) => unknown
  readonly options: ReplayOptions
}

/** A debugger that is ready for one replay in this process. */
export interface ReadyInspection {
  replay(trace: Trace, agent: InspectedAgent): Promise<InspectAnswer>
}

/** A replay without a debugger, with which the others are compared. */
export const plainReplay: ReadyInspection = {
  async replay(trace, { agent, options }) {
    return answerOf((await watch(trace, { agent, options }, () => undefined)).run)
  },
}

/** Starts the debugger for a replay that finds the agent's place of each call. Called before the process is guarded. */
export async function startFinding(): Promise<ReadyInspection> {
  const shared = new Int32Array(new SharedArrayBuffer(4 * STOP_FIELDS.length))
  const thread = await startDebugger({ mode: 'find', hook: '', shared })
  return {
    async replay(trace, agent) {
      const { run } = await watch(trace, agent, ({ number }) => {
        shared[2] = number
        stopForPlace()
      })
      const { places } = await finish(thread)
      return { ...answerOf(run), found: indexPlaces(places) }
    },
  }
}

/** Starts the debugger for a replay that reads the agent's variables at the places that were found. */
export async function startReading(found: FoundPlaces, limits: InspectLimits, environment: EnvironmentMask): Promise<ReadyInspection> {
  const hook = new InspectionHook(limits, found)
  const thread = await startDebugger({ mode: 'read', hook: HOOK, shared: hook.shared, places: found.places })
  return {
    async replay(trace, agent) {
      const { run, calls } = await watch(trace, agent, (call) => hook.called(call))
      environment.learn(hook.environment())
      const redaction = new FrameRedaction(trace, agent.options.redact, environment, limits)
      const { stops } = await finish(thread)
      const made = new Map(calls.map((call) => [call.step, call]))
      const all = [
        ...trace.steps.filter(({ step }) => !made.has(step)).map((step) => unreachedStep(step, run)),
        ...inspectedSteps([...made.values()], stops, hook, redaction),
      ]
      return { ...answerOf(run), steps: all.toSorted((one, other) => one.step - other.step), visits: visitsOf(calls, hook) }
    },
  }
}

/** Starts the debugger for a replay that numbers the visits of these places, and reports the visit of each step. It does not stop. */
export async function startVisiting(found: FoundPlaces): Promise<ReadyInspection> {
  const hook = new InspectionHook(defaultLimits, found, NO_VISIT)
  const thread = await startDebugger({ mode: 'read', hook: HOOK, shared: hook.shared, places: found.places })
  return {
    async replay(trace, agent) {
      const { run, calls } = await watch(trace, agent, (call) => hook.called(call))
      await finish(thread)
      return { ...answerOf(run), visits: visitsOf(calls, hook) }
    },
  }
}

/** Not a visit: visits are numbered from 1. */
const NO_VISIT = 0

function visitsOf(calls: readonly NumberedCall[], hook: InspectionHook): NonNullable<InspectAnswer['visits']> {
  return calls.flatMap(({ step, number, isExtra }) => {
    const visit = hook.visitOf(number)
    return visit === undefined ? [] : [{ step, visit, ...(isExtra && { isExtra }) }]
  })
}

/** A debugger that clients attach to. */
export interface ReadyDebugger extends ReadyInspection {
  readonly address: PortAddress
  /** Replays the trace once a client is ready. */
  run(trace: Trace, agent: InspectedAgent): Promise<ReplayedRun>
}

/** Starts the debugger for a replay that stops at a visit until a client continues. Called before the process is guarded. */
export async function startDebugging(
  found: FoundPlaces,
  limits: InspectLimits,
  { visit, port, title }: NonNullable<InspectRequest['debug']>,
): Promise<ReadyDebugger> {
  const hook = new InspectionHook(limits, found, visit)
  const { places } = found
  const thread = await startDebugger({ mode: 'debug', hook: HOOK, shared: hook.shared, places, title, ...(port !== undefined && { port }) })
  if (thread.address === undefined) throw new GoldenrunError('GOLDENRUN_INSPECT', 'The debugger has no port.')
  const run = async (trace: Trace, agent: InspectedAgent): Promise<ReplayedRun> => {
    await thread.attached
    const watched = await watch(trace, agent, (call) => hook.called(call))
    await finish(thread)
    return watched.run
  }
  return { address: thread.address, run, replay: async (trace, agent) => answerOf(await run(trace, agent)) }
}

async function watch(
  trace: Trace,
  { agent, options }: InspectedAgent,
  onCall: (call: MadeCall) => void,
): Promise<{ readonly run: ReplayedRun; readonly calls: readonly NumberedCall[] }> {
  let number: (run: ReplayedRun) => readonly NumberedCall[] = () => []
  const run = await replayWatched(trace, agent, options, onCall, ({ calls }) => (number = (finished) => numberCalls(calls, finished)))
  return { run, calls: number(run) }
}

function answerOf(run: ReplayedRun): InspectAnswer {
  const { outcome } = run
  const first = outcome.status === 'stopped' ? outcome.divergence : run.divergences[0]
  const divergence = first && { cause: first.cause, step: first.step, position: first.position }
  return { identity: identityOf(run), hash: run.hash, outcome: outcome.status, ...(divergence && { divergence }) }
}

async function finish(thread: DebuggerThread): Promise<DebuggerReport> {
  const report = await thread.finish()
  if (report.failure === undefined) return report
  throw new GoldenrunError('GOLDENRUN_INSPECT', `The variables could not be read: ${report.failure}`)
}

function indexPlaces(places: DebuggerReport['places']): FoundPlaces {
  const known = new Map<string, CallPlace>()
  for (const place of places) if (place !== null) known.set(keyOfPlace(place), place)
  const keys = [...known.keys()]
  return { places: [...known.values()], ofCall: places.map((place) => (place === null ? -1 : keys.indexOf(keyOfPlace(place)))) }
}

function keyOfPlace({ url, lineNumber, columnNumber }: CallPlace): string {
  return `${url}:${lineNumber}:${columnNumber}`
}

/** The debugger's thread reads the stack here. */
function stopForPlace(): void {
  // oxlint-disable-next-line no-debugger -- this is what it is for
  debugger
}
