import { installDoors, openFileDoor, renewDoors } from '../boundaries/doors.ts'
import { recordNative } from '../boundaries/native/recorded-native.ts'
import { createMuting } from '../http/telemetry/muting.ts'
import { debugLog } from '../node/debug-log.ts'
import { realTimers } from '../node/real-timers.ts'
import { callUnseen } from '../run/call-unseen.ts'
import { wrapHandedOut } from '../run/handed-out/wrap-handed-out.ts'
import { currentRunScope, runInScope, runOutside } from '../run/scope.ts'
import { DEFAULT_STORE } from '../stores/default-store.ts'
import { retentionFor } from '../stores/retention.ts'
import type { RunSummary } from '../stores/run-summary.ts'
import { removesSecrets } from '../stores/secrets/removes-secrets.ts'
import { openSecrets } from '../stores/secrets/secrets-options.ts'
import { createStoreAt, directoryAt } from '../stores/store-url.ts'
import type { OnStoreFailure } from '../stores/trace-store.ts'
import type { Settled } from '../trace/rows.ts'
import { ambientSignal } from '../trace/run-row.ts'
import { toRecorded } from '../trace/values.ts'
import { AmbientAnswers } from './ambient-answers.ts'
import { FlushedStore } from './flushed-store.ts'
import { HandedOutRecorder } from './handed-out-recorder.ts'
import { LateRuns } from './late-runs.ts'
import { checkLimits } from './limits.ts'
import type { RunSink } from './raw/raw-entry.ts'
import { outsideRuns } from './outside-store.ts'
import type { Recorder } from './recorder-types.ts'
import { RecordingRun } from './recording-run.ts'
import { createRuleSet } from '../redaction/rule-set.ts'
import { checkOptions, type RecorderOptions, type RunOptions } from './recorder-options.ts'
import { RunCounts, toldOfUnstored } from './run-counts.ts'
import { createHeader, type RunKind } from './run-header.ts'
import { createTraceId } from './run-id.ts'
import { nameKind, readNames, toName } from './run-names.ts'
import { startRetention } from './retention/retention-timer.ts'
import { checkSampleOptions } from './sampling/sample-options.ts'
import { Sampler } from './sampling/sampler.ts'
import { SinkOpener } from './sink-opener.ts'
import { warn } from '../run/tell.ts'
import { otherRuntime } from '../run/other-runtime.ts'
import { activeTraceId, beginTelemetry } from './telemetry/guarded-run.ts'
import type { RunTelemetry } from './telemetry/telemetry.ts'
import { createUnrecording } from './unrecorded.ts'
import { recordAborts } from './record-aborts.ts'
import { createRunWarnings } from './run-warnings.ts'
import { warnOnce } from './warn-once.ts'

/** Logs the outcome of each run. */
const debug = debugLog('record')

/**
 * Creates a recorder. Until it is closed, it patches the clock, random sources, timers and HTTP of the process; calls outside a run pass through. On
 * Bun, Deno and Node below 22.15 it runs agents unrecorded, with a warning.
 *
 * @example
 * const recorder = createRecorder({ store: '.goldenrun/runs' })
 * const answer = await recorder.run({ agent: 'support', input }, supportAgent)
 *
 * @throws GoldenrunError `GOLDENRUN_OPTIONS` for an unknown option, or one of the wrong type.
 */
export function createRecorder(options: RecorderOptions = {}): Recorder {
  return openRecorder(options).recorder
}

/** Returns a recorder, and a function that ends a run of it before its agent has finished. */
export function openRecorder({ wholeProcess, ...given }: RecorderOptions & RunKind): {
  readonly recorder: Recorder
  readonly end: (id: string, outcome: Settled) => void
} {
  const runtime = otherRuntime()
  if (runtime !== undefined) return { recorder: createUnrecording(runtime), end: () => undefined }
  const options = { ...given, store: given.store ?? process.env['GOLDENRUN_STORE'] ?? DEFAULT_STORE }
  checkOptions(options)
  const store = outsideRuns(typeof options.store === 'string' ? createStoreAt(options.store) : options.store)
  checkSampleOptions('createRecorder', options.sample, store)
  const muting = createMuting({ mute: options.mute ?? [], record: options.record ?? [] })
  const ruleSet = createRuleSet(options.redact)
  const secrets = options.secrets && openSecrets('createRecorder', options.secrets)
  const limits = checkLimits('createRecorder', options.limits)
  const directory = typeof options.store === 'string' ? directoryAt(options.store) : undefined
  const counts = new RunCounts()
  const { warned, warnOf, warnOfLoss } = createRunWarnings(counts)
  const onStoreFailure: OnStoreFailure = (id, error, lost = 'recording') => {
    if (lost === 'recording') {
      if (flushed.unstored.settle(id, { error })) return
      if (counts.loses(id)) warnOfLoss(`could not keep the recording ${id}`, String(error), id)
    } else if (counts.leavesUnindexed(id) && warned.size === 0)
      // A disk that takes no recording takes no index either.
      warnOf(`could not index the recording ${id}, so the next look-up has to read it`, String(error), id)
  }
  const flushed = new FlushedStore(store, {
    made: typeof options.store === 'string' ? undefined : options.store,
    milliseconds: limits.closeMilliseconds,
    onFailure: warnOnce('a store could not write its buffered rows'),
  })
  const sinks = new SinkOpener({
    store,
    directory,
    ruleSet,
    redact: options.redact,
    limits,
    thread: options.thread ?? true,
    asks: options.sample !== undefined,
    telemetry: options.telemetry,
    secrets,
    onStoreFailure,
  })
  const retention = startRetention(
    'createRecorder',
    retentionFor(options.retention, directory !== undefined),
    secrets === undefined ? store : removesSecrets(store, secrets.store),
  )
  const release = installDoors()
  if (options.files !== undefined) openFileDoor()
  const active = new Set<Recording>()
  const late = new LateRuns(limits)
  // One token request may serve runs that began before it was answered.
  const ambient = new AmbientAnswers(options.ambient ?? [], (answer, by) => {
    for (const { run } of active) if (run !== by) run.signal(ambientSignal, answer)
  })
  const sampler = new Sampler(options.sample ?? {}, store, warnOnce('kept a run because the function "keep" of sample threw'))
  const keeps = options.sample === undefined ? undefined : (summary: RunSummary): boolean => sampler.keeps(summary)
  /** Returns whether the run of this trace is not recorded. */
  const leavesOut = (traceId: string): boolean => {
    if (sampler.records(traceId)) return false
    counts.ends('sampledOut')
    return true
  }
  const onMuted = (): void => {
    counts.muted += 1
  }
  const onUntold = warnOnce('could not report a run to telemetry')
  let closed = false
  /** Ends a recording before its run ends. */
  const letGo = (recording: Recording): void => {
    const { sink, telemetry } = recording
    active.delete(recording)
    recording.endNative()
    counts.ends('cut')
    sink.close(({ isKept, failure }) => telemetry?.end({ isKept: isKept && failure === undefined }))
  }
  const onCut = (id: string): void => {
    const cut = [...active].find(({ run }) => run.id === id)
    if (cut === undefined) return
    letGo(cut)
    warnOf(`ended the recording ${id} before its run ended`, 'it exceeded a limit of the recorder (see the note at its end)')
  }

  const begin = (run: RunOptions<unknown, unknown>): Recording | undefined => {
    counts.begun += 1
    const agent = toName(run.agent)
    if (agent === undefined) {
      counts.ends('failed')
      const example = "recorder.run({ agent: 'support', input }, supportAgent)"
      warnOfLoss('could not record a run', `its "agent" is ${nameKind(run.agent)}, but has to be the agent's name: ${example}`)
      return undefined
    }
    try {
      renewDoors()
      const activeTrace = activeTraceId(options.telemetry, onUntold)
      if (activeTrace !== undefined && leavesOut(activeTrace)) return undefined
      const telemetry = beginTelemetry(options.telemetry, agent, onUntold)
      const traceId = telemetry?.traceId ?? activeTrace ?? createTraceId()
      // A trace that begins with the run takes its id from the run's span, which is dropped here.
      if (activeTrace === undefined && leavesOut(traceId)) return undefined
      const unkept: string[] = []
      const input = toRecorded(run.input, (path, why) => unkept.push(`input${path.slice(1)}: ${why}`))
      const about = { tags: run.tags, agentVersion: run.agentVersion ?? options.agentVersion }
      const names = readNames(agent, about, (what, why) => warnOf(`left out ${what} of a run of "${agent}"`, why))
      const known = { ...names, ...(wholeProcess && { wholeProcess }), ...(run.context !== undefined && { hasContext: true as const }) }
      const header = createHeader(known, input, traceId, options, ruleSet, ambient.inHeader())
      sampler.begins(header.agent, header.agentVersion)
      const sink = sinks.open(header, telemetry)
      const { standsInForDraws } = ruleSet
      const policy = { muting, onMuted, ambient, standsInForDraws, limits, onCut, checkpoints: options.checkpoints, telemetry }
      const recordingRun = new RecordingRun(header, sink, policy)
      const recording = { run: recordingRun, sink, telemetry, endNative: recordNative(recordingRun) }
      telemetry?.isOf(store.locate?.(header.id) ?? header.id, Date.parse(header.startedAt))
      active.add(recording)
      for (const where of unkept) recording.run.note('unkept-value', where)
      return recording
    } catch (error) {
      counts.ends('failed')
      warnOfLoss(`could not record a run of "${agent}"`, String(error))
      return undefined
    }
  }
  const finish = (recording: Recording, outcome: Settled): void => {
    const { run } = recording
    // If the recorder was closed in the meantime, it has already ended the recording.
    if (!active.delete(recording)) return
    run.end(outcome)
    recording.endNative()
    late.watch(run, () => conclude(recording))
  }
  const conclude = ({ run, sink, telemetry }: Recording): void => {
    counts.writes()
    sink.close((ending) => {
      debug?.(
        () => `run ${run.id} is ${ending.failure !== undefined ? 'not written' : ending.isKept ? 'written' : 'not kept: sampled out'}`,
      )
      const failure = run.failure ?? ending.failure
      telemetry?.end({ isKept: ending.isKept && failure === undefined })
      if (failure !== undefined) {
        counts.written('failed', run.id)
        return warnOfLoss(`could not finish the recording ${run.id}`, String(failure.error), run.id)
      }
      if (ending.stored === undefined) return count(run, ending.isKept ? 'recorded' : 'sampledOut')
      flushed.unstored.add(run.id, ending.stored, (lost) => {
        count(run, lost === undefined ? 'recorded' : 'failed')
        if (lost !== undefined) warnOfLoss(`could not keep the recording ${run.id}`, String(lost.error), run.id)
      })
    }, keeps)
  }
  const count = (run: RecordingRun, end: 'recorded' | 'sampledOut' | 'failed'): void => {
    counts.written(end, run.id)
    if (end !== 'failed' && run.flags.length > 0) counts.flagged += 1
  }

  store.reports?.(onStoreFailure)
  const endRun = (id: string, outcome: Settled): void => {
    for (const recording of active) if (recording.run.id === id) finish(recording, outcome)
    // The process is exiting.
    late.closeAll('exit')
  }
  const recorder: Recorder = {
    start: () => sinks.start(),
    run<Input, Context, Output>(
      run: RunOptions<Input, Context>,
      agent: (input: Input, context: Context) => Output,
    ): Promise<Awaited<Output>> {
      let recording: Recording | undefined
      const call = (): Output => {
        const context = run.context as Context
        // A run within a run is part of the outer run; in a replay there is nothing to record.
        if (currentRunScope() !== undefined) return agent(run.input, context)
        const begun = closed ? undefined : runOutside(() => begin(run))
        if (begun === undefined) return runOutside(() => agent(run.input, context))
        recording = begun
        recordAborts(begun.run, context)
        const start = (): Output => runInScope({ run: begun.run, owner: 0 }, () => agent(run.input, context))
        return begun.telemetry === undefined ? start() : begun.telemetry.inRun(start)
      }
      const fail = (error: unknown): never => {
        if (recording !== undefined) finish(recording, { error })
        throw error
      }
      const pass = (output: Awaited<Output>): Awaited<Output> => {
        if (recording === undefined) return output
        const recorded = recording
        try {
          const watcher = new HandedOutRecorder(recorded.run, (end) => finish(recorded, end))
          const handedOut = wrapHandedOut(output, { run: recorded.run, owner: 0 }, watcher)
          if (handedOut !== undefined) return handedOut.value as Awaited<Output>
          finish(recorded, { output })
          return output
        } catch (error) {
          return fail(error)
        }
      }
      return callUnseen(call, pass, fail)
    },
    stats: () => ({ ...counts.read(), active: active.size, watching: late.count, waitingBytes: sinks.waitingBytes }),
    async flush() {
      await late.look()
      await sinks.drain()
      await flushed.flush()
    },
    async close() {
      closed = true
      await late.pass()
      for (const recording of active) {
        recording.run.cut()
        letGo(recording)
      }
      late.closeAll('close')
      retention?.close()
      release()
      const isWritten = await sinks.close()
      await flushed.close()
      counts.giveUp()
      const told = toldOfUnstored(counts, isWritten ? 0 : sinks.waitingBytes, limits.closeMilliseconds)
      if (told !== undefined) warn(told)
      // A later turn shows warnings. A process that exits now has none.
      if (told !== undefined || counts.named > 0) await new Promise((resolve) => realTimers.setImmediate(resolve))
    },
  }
  return { recorder, end: endRun }
}

interface Recording {
  readonly run: RecordingRun
  readonly sink: RunSink
  readonly telemetry: RunTelemetry | undefined
  /** Stops watching native code. */
  readonly endNative: () => void
}
