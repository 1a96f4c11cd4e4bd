import { overriddenDoors } from '../../boundaries/doors.ts'
import { sumUsage } from '../../models/usage.ts'
import { omitUndefined } from '../../trace/json.ts'
import { traceHash } from '../../trace/hash.ts'
import { toRecordedError } from '../../trace/recorded-error.ts'
import type { CheckpointRow, Settled } from '../../trace/rows.ts'
import type { Step, Trace } from '../../trace/trace.ts'
import { fromRecorded } from '../../trace/values.ts'
import type { Divergence } from '../../divergence/divergence.ts'
import { sinceAccepted } from '../traces/accepted/since-accepted.ts'
import { digest } from '../traces/digest.ts'
import { differingStacks, drawnValues } from './compared-values.ts'
import { driftOf } from './drift-of-replay.ts'
import { replayHashParts } from './hash-parts.ts'
import { comparedHeadersOf } from '../calls/compared-headers.ts'
import { FunctionDelivery } from '../answers/function-delivery.ts'
import { toStep } from '../calls/planned-step.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import { withCallers } from './helper-lines.ts'
import { modelCallsOf } from '../traces/model-calls.ts'
import type { Outcome, ReplayedRun } from '../contract/replayed-run.ts'
import type { ReplayingRun } from '../replaying-run.ts'
import { traceOfReplay } from './trace-of-replay.ts'
import { toolCallsOf } from '../traces/tool-calls.ts'
import { trustedStandIns } from './trusted-stand-ins.ts'
import { unmatchedPaths } from './unmatched-paths.ts'
import type { NodeEnvs } from '../../divergence/node-env.ts'
import { type SideEffect, sideEffectsOf } from '../../trace/side-effects.ts'

/** The result of a replay as a run. Expensive properties are computed lazily. */
export function toReplayedRun(trace: Trace, run: ReplayingRun, settled: Settled | undefined, again: ReplayedRun['again']): ReplayedRun {
  if (settled === undefined && run.findings.stop === undefined) run.findings.stuck(run.waitsFor())
  const divergences = withCallers(run.findings.finish(settled), run.calls.all)
  const checkpoints = run.checkpoints.map(({ kept }): CheckpointRow => ({ kind: 'checkpoint', ...kept }))
  const states = [...checkpoints, ...trace.policyCheckpoints].toSorted((a, b) => a.at - b.at)
  const nodeEnvs = nodeEnvsOf(trace, run, divergences)
  let traced: Trace | undefined
  const known = {
    trace,
    outcome: outcomeOf(run, settled, divergences),
    divergences,
    checkpoints,
    virtualMs: run.endedAt ?? run.conductor.now,
    racedOwnWork: run.racedOwnWork,
    drewMore: run.reads.extra > 0,
    lateCalls: run.findings.lateCalls,
    missedHeaders: [...run.heads.missed].toSorted(),
    changedFiles: run.changedFiles,
    ...(nodeEnvs && { nodeEnvs }),
    ...(divergences.length > 0 && { overridden: overriddenDoors(run.draws.isShort) }),
    stateAt: (step: number) => stateAt(step, states, replayed.steps),
    ...(run.incident && { incident: run.incident.result }),
    again,
    toTrace: () => (traced ??= traceOfReplay(trace, run, replayed.steps, settled)),
  }
  const replayed: ReplayedRun = withComputed(known, {
    drift: () => driftOf(trace, run.calls.all, run.redaction.renaming.sides, run.findings.clientDrifts),
    unmatchedPaths: () => unmatchedPaths(trace, run.settings.rules),
    standIns: () => trustedStandIns(trace, run, settled),
    credentials: () => run.findings.credentials.unproven,
    drawn: () => drawnValues(trace, run, settled),
    stacks: () => differingStacks(trace, run, settled),
    steps: () => replayedSteps(trace, run),
    modelCalls: () => modelCallsOf(replayed.steps),
    toolCalls: () => toolCallsOf(replayed.steps, replayed.modelCalls),
    stubbedTools: () => [...new Set(run.calls.all.flatMap((call) => (isStubbedTool(call) ? [call.name] : [])))],
    sideEffects: () => sideEffectsOfReplay(trace, run, replayed.steps),
    since: () => (divergences.length === 0 ? undefined : sinceAccepted(trace)),
    usage: () => sumUsage(replayed.modelCalls.map(({ answer }) => answer?.usage)),
    hash: () => traceHash(replayHashParts(trace, run, replayed.steps, settled), digest),
  })
  return replayed
}

/** Adds properties that are computed when they are first read. */
function withComputed<Base extends object, Computed>(
  base: Base,
  makers: { readonly [Name in keyof Computed]: () => Computed[Name] },
): Base & Computed {
  const known = new Map<string, unknown>()
  const descriptors = Object.entries<() => unknown>(makers).map(([name, make]) => {
    const get = (): unknown => {
      if (!known.has(name)) known.set(name, make())
      return known.get(name)
    }
    return [name, { get, enumerable: true, configurable: true }] as const
  })
  return Object.defineProperties(base, Object.fromEntries(descriptors)) as Base & Computed
}

function outcomeOf(run: ReplayingRun, settled: Settled | undefined, divergences: readonly Divergence[]): Outcome {
  // A fork continues from its departure, so what stopped it is something else.
  const first = (run.findings.isFork ? run.findings.stop?.divergence : undefined) ?? divergences[0]
  if ((settled === undefined || run.findings.stop !== undefined) && first !== undefined) return { status: 'stopped', divergence: first }
  if (settled === undefined) return { status: 'in-flight' }
  if ('error' in settled) return { status: 'threw', error: settled.error }
  return { status: 'returned', output: settled.output }
}

function replayedSteps(trace: Trace, run: ReplayingRun): Step[] {
  const recorded = new Map(trace.steps.map((step) => [step.step, step]))
  return run.calls.all
    .map((call) => replayedStep(call, recorded.get(call.planned?.call.step ?? -1), trace, run))
    .toSorted((a, b) => a.step - b.step)
}

function replayedStep(call: ReplayCall, recorded: Step | undefined, trace: Trace, run: ReplayingRun): Step {
  const { boundary, name, effect, idempotencyKey, at, settledAt, outcome } = call
  const isSettled = call.state === 'settled'
  const changed = call.changed || recorded === undefined
  const source = recorded ?? (call.source && toStep(call.source))
  return {
    step: run.calls.numberOf(call),
    owner: call.owner === undefined ? 0 : run.calls.numberOf(call.owner),
    boundary,
    name,
    ...omitUndefined({ effect, idempotencyKey, attempt: recorded?.attempt }),
    ...(changed ? asMade(call, trace, run) : asRecorded(recorded)),
    ...(isSettled || recorded?.settledAt === undefined ? result(outcome, source ?? arrivedOf(call)) : {}),
    at,
    ...omitUndefined({ settledAt, route: call.route }),
  }
}

function asRecorded({ input, credentials, client }: Step): Pick<Step, 'input' | 'credentials' | 'client'> {
  return { input, ...omitUndefined({ credentials, client }) }
}

/** The request of a call that equals no recorded one, as a trace has it. */
function asMade({ input }: ReplayCall, trace: Trace, { redaction }: ReplayingRun): Pick<Step, 'input' | 'credentials' | 'client'> {
  const standInFor = (value: string): string => redaction.toCredential(value)
  return comparedHeadersOf(trace).asWritten(fromRecorded((input?.value ?? null) as never), input ?? {}, standInFor)
}

/** The part that has arrived of a live answer that the agent did not read to its end. */
function arrivedOf({ arrived }: ReplayCall): Pick<Step, 'output'> | undefined {
  return arrived === undefined ? undefined : { output: arrived() }
}

function result(
  outcome: ReplayCall['outcome'],
  recorded: Pick<Step, 'output' | 'error'> | undefined,
): Partial<Pick<Step, 'output' | 'error'>> {
  if (outcome !== undefined) return 'error' in outcome ? { error: toRecordedError(outcome.error) } : { output: outcome.output }
  return omitUndefined({ output: recorded?.output, error: recorded?.error })
}

function isStubbedTool({ boundary, delivery, runs, planned }: ReplayCall): boolean {
  return boundary === 'tool' && delivery instanceof FunctionDelivery && !runs && planned !== undefined
}

function stateAt(step: number, checkpoints: readonly CheckpointRow[], steps: readonly Step[]): unknown {
  const startedAt = steps.find((candidate) => candidate.step === step)?.at
  if (startedAt === undefined) return undefined
  return checkpoints.findLast(({ at }) => at <= startedAt)?.state
}

/** The `NODE_ENV` of the recording and of the replay, if it may be why their draws do not line up; else undefined. */
function nodeEnvsOf({ header: { runtime } }: Trace, run: ReplayingRun, divergences: readonly Divergence[]): NodeEnvs | undefined {
  const envs = toNodeEnvs(runtime)
  if (envs.recorded === envs.replayed || !mayChangeReads(envs, run)) return undefined
  const isDrawn = run.draws.hasPaired || divergences.some(({ differences }) => differences.some(({ drawn }) => drawn === true))
  // If calls differ or are missing, different reads follow from that and prove nothing.
  const isOtherNumber = divergences.length === 0 && (run.reads.extra > 0 || run.draws.isShort)
  return isDrawn || isOtherNumber ? envs : undefined
}

/** Whether the number of reads differs as it does if SDKs do less under `NODE_ENV=test`. In a run that was stopped, the number is not known. */
function mayChangeReads({ recorded, replayed }: NodeEnvs, run: ReplayingRun): boolean {
  if (recorded === undefined || run.stopped || !run.finished) return true
  if (replayed === 'test') return run.draws.isShort
  return recorded !== 'test' || run.reads.extra > 0
}

/** If the configuration names the variable, the replay uses the recorded value, too. */
function toNodeEnvs({ env, nodeEnv }: Trace['header']['runtime']): NodeEnvs {
  const given = env['NODE_ENV']
  if (given !== undefined) return { recorded: given, replayed: given }
  return { ...(nodeEnv !== undefined && { recorded: nodeEnv }), replayed: process.env['NODE_ENV'] ?? null }
}

/** The side effects of a replay, in order: those of its own steps, and the recorded ones within tools that did not run. */
function sideEffectsOfReplay({ header, steps: recorded }: Trace, run: ReplayingRun, steps: readonly Step[]): SideEffect[] {
  const stubbed = new Set(run.calls.all.flatMap((call) => (call.runs || call.planned === undefined ? [] : [call.planned.call.step])))
  const owners = new Map(recorded.map(({ step, owner }) => [step, owner]))
  const isWithinStub = (step: number): boolean => {
    const owner = owners.get(step) ?? 0
    return owner !== 0 && owner < step && (stubbed.has(owner) || isWithinStub(owner))
  }
  const known = new Set(steps.map(({ step }) => step))
  const within = recorded.filter(({ step }) => !known.has(step) && isWithinStub(step))
  return sideEffectsOf([...steps, ...within], header).toSorted((a, b) => a.step - b.step)
}
