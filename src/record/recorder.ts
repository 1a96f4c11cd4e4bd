import { installDoors, renewDoors } from '../boundaries/doors.ts'
import { telemetryHosts } from '../boundaries/http/muted-hosts.ts'
import { contextSignals } from '../run/context-signals.ts'
import { wrapHandedOut } from '../run/handed-out/wrap-handed-out.ts'
import { currentScope, runInScope, runOutside } from '../run/scope.ts'
import { createDirectoryStore } from '../stores/directory-store.ts'
import type { TraceStore } from '../stores/trace-store.ts'
import { checkKnownOptions, OptionsError } from '../trace/errors/options-error.ts'
import { FORMAT_VERSION } from '../trace/rows.ts'
import { ambientSignal, type RunRow } from '../trace/run-row.ts'
import { toRecorded } from '../trace/values.ts'
import { AmbientAnswers } from './ambient-answers.ts'
import { HandedOutRecorder } from './handed-out-recorder.ts'
import { checkLimits, type RecorderLimits } from './limits.ts'
import type { RunSink } from './raw/raw-entry.ts'
import { RecordingRun } from './recording-run.ts'
import { checkRedactOptions, type RedactOptions } from './redaction/redact-options.ts'
import { createRuleSet, type RuleSet } from './redaction/rule-set.ts'
import { createRunId, createTraceId } from './run-id.ts'
import { currentRuntime } from './runtime.ts'
import { SinkOpener } from './sink-opener.ts'

/** How a recorder records. */
export interface RecorderOptions {
  /** Where recordings live: a directory, made when needed, or a store. */
  readonly store: string | TraceStore
  /** The version of the agent, for every run that does not say its own. Default: none. */
  readonly agentVersion?: string
  /** Names of environment variables that are kept in each trace and set again on replay. Default: none. */
  readonly env?: readonly string[]
  /**
   * Hosts, and names of tools and externals, of calls that the process makes once for many runs: a token, a key set. A replay answers them any
   * number of times, none included, from the latest answer. Default: none.
   */
  readonly ambient?: readonly string[]
  /**
   * Names of request headers that say what a call asks for, and are kept and compared beside content type, idempotency key, `*-version` and
   * `*-beta`: `['x-tenant']`. Each trace says which, so that a replay compares the same. Default: none.
   */
  readonly compareHeaders?: readonly string[]
  /** Hosts of which nothing is recorded, beside the well-known ones of telemetry. Default: none. */
  readonly mute?: readonly string[]
  /** What is taken out of a trace before it is written, beside the well-known kinds of secrets. Default: those, and nothing else. */
  readonly redact?: RedactOptions
  /** What recording may take of the process. Default: see each. */
  readonly limits?: RecorderLimits
  /**
   * Whether recordings are redacted, compressed and written by a thread of their own, which all recorders of a process share. It takes about 50 ms
   * to start, with the first run; runs that begin before are written on the agent's thread, as all are where the store is no directory, where a
   * redaction rule is a function, and where there can be no thread. Default: true.
   */
  readonly thread?: boolean
}

/** What a run is told beside the agent's function. */
export interface RunOptions<Input, Context> {
  /** The agent's name, as the configuration and `goldenrun list` know it. */
  readonly agent: string
  /** What the agent is given; kept in the trace. */
  readonly input: Input
  /** What the agent is given and cannot be written down: a database client, a logger, an AbortSignal. Never stored. Default: none. */
  readonly context?: Context
  /** User, session, prompt version: what a user's report can be found by. Default: none. */
  readonly tags?: Readonly<Record<string, string>>
  /** Default: the recorder's. */
  readonly agentVersion?: string
}

/** Counts of what a recorder did since it was made. */
export interface RecorderStats {
  /** Runs recorded to their end. */
  readonly recorded: number
  /** Runs under way. */
  readonly active: number
  /** Runs that could not be recorded; they ran all the same. */
  readonly failed: number
  /** Runs that were flagged, by the agent or for a repeated side effect. */
  readonly flagged: number
  /** Runs whose recording ended before them, since they went beyond a limit. */
  readonly cut: number
  /** Bytes of the process's runs that are not written yet. */
  readonly waitingBytes: number
}

/** Records runs of agents. */
export interface Recorder {
  /**
   * Runs an agent and records what crosses its boundary. Resolves to what `agent` returns and rejects with what it throws, whatever becomes
   * of the recording. Where the agent hands out a stream, an async iterable or a Response, its recording ends when that has been consumed.
   */
  run<Input, Context, Output>(
    options: RunOptions<Input, Context>,
    agent: (input: Input, context: Context) => Output,
  ): Promise<Awaited<Output>>
  stats(): RecorderStats
  /** Resolves once what was recorded so far is written, or after `limits.closeMilliseconds`. */
  flush(): Promise<void>
  /** Writes what is still to be written, for `limits.closeMilliseconds` at the most, and takes the recorder's hands off the process. Runs under way go on unrecorded. */
  close(): Promise<void>
}

/**
 * Makes a recorder. It puts its hands on clock, chance, timers and HTTP of the process until it is closed; what is outside a run passes
 * through.
 *
 * @example
 * const recorder = createRecorder({ store: '.goldenrun/runs' })
 * const answer = await recorder.run({ agent: 'support', input }, supportAgent)
 *
 * @throws GoldenrunError `GOLDENRUN_OPTIONS` for an option it does not know, or one of the wrong type.
 */
export function createRecorder(options: RecorderOptions): Recorder {
  checkOptions(options)
  const store = typeof options.store === 'string' ? createDirectoryStore(options.store) : options.store
  const muted = [...telemetryHosts, ...(options.mute ?? [])]
  const ruleSet = createRuleSet(options.redact)
  const limits = checkLimits('createRecorder', options.limits)
  const directory = typeof options.store === 'string' ? options.store : undefined
  const sinks = new SinkOpener({ store, directory, ruleSet, redact: options.redact, limits, thread: options.thread ?? true })
  const release = installDoors()
  const active = new Set<Recording>()
  // One fetch of a token may serve runs that began before it was answered.
  const ambient = new AmbientAnswers(options.ambient ?? [], (answer, by) => {
    for (const { run } of active) if (run !== by) run.signal(ambientSignal, answer)
  })
  const stats = { recorded: 0, failed: 0, flagged: 0, cut: 0 }
  let closed = false
  const warned = new Set<string>()
  /** The same again is only counted. */
  const warn = (what: string, why: string, id = ''): void => {
    const same = why.replaceAll(id, '')
    if (!warned.has(same)) process.emitWarning(`goldenrun ${what}: ${why}. The run itself is not affected.`)
    warned.add(same)
  }
  const onCut = (run: RecordingRun): void => {
    const cut = [...active].find((recording) => recording.run === run)
    if (cut === undefined) return
    active.delete(cut)
    stats.cut += 1
    cut.sink.close(() => undefined)
    warn(`ended the recording ${run.id} before its run`, 'it went beyond a limit of the recorder, see the note at its end')
  }

  const begin = (run: RunOptions<unknown, unknown>): Recording | undefined => {
    try {
      renewDoors()
      const header = {
        ...createHeader(run, options, ruleSet),
        ...ambient.inHeader(),
        ...(options.mute === undefined ? {} : { muted: options.mute }),
      }
      const unkept: string[] = []
      const input = toRecorded(run.input, (path, why) => unkept.push(`input${path.slice(1)}: ${why}`))
      const sink = sinks.open({ ...header, input })
      const policy = { muted, ambient, standsInForDraws: ruleSet.standsInForDraws, limits, onCut }
      const recording = { run: new RecordingRun(header, sink, policy), sink }
      active.add(recording)
      for (const where of unkept) recording.run.note('unkept-value', where)
      return recording
    } catch (error) {
      stats.failed += 1
      warn(`could not record a run of "${run.agent}"`, String(error))
      return undefined
    }
  }
  const finish = (recording: Recording, outcome: { output: unknown } | { error: unknown }): void => {
    const { run, sink } = recording
    // A recorder that was closed meanwhile has let go of the recording.
    if (!active.delete(recording)) return
    run.end(outcome)
    sink.close((closing) => {
      const failure = run.failure ?? closing
      if (failure === undefined) {
        stats.recorded += 1
        if (run.flags.length > 0) stats.flagged += 1
        return
      }
      stats.failed += 1
      warn(`could not finish the recording ${run.id}`, String(failure.error), run.id)
    })
  }

  return {
    async run<Input, Context, Output>(
      run: RunOptions<Input, Context>,
      agent: (input: Input, context: Context) => Output,
    ): Promise<Awaited<Output>> {
      const context = run.context as Context
      // A run within a run is part of the outer one; in a replay there is nothing to record.
      if (currentScope() !== undefined) return await agent(run.input, context)
      const recording = closed ? undefined : runOutside(() => begin(run))
      if (recording === undefined) return await runOutside(() => agent(run.input, context))
      const scope = { run: recording.run, owner: 0 }
      listen(recording.run, context)
      try {
        const output = await runInScope(scope, () => agent(run.input, context))
        const handedOut = wrapHandedOut(output, scope, new HandedOutRecorder(recording.run, (end) => finish(recording, end)))
        if (handedOut !== undefined) return handedOut.value as Awaited<Output>
        finish(recording, { output })
        return output
      } catch (error) {
        finish(recording, { error })
        throw error
      }
    },
    stats: () => ({ ...stats, active: active.size, waitingBytes: sinks.waitingBytes }),
    async flush() {
      await sinks.drain()
    },
    async close() {
      closed = true
      for (const { run, sink } of active) {
        run.cut()
        sink.close(() => undefined)
      }
      active.clear()
      release()
      if (await sinks.close()) return
      process.emitWarning(
        `goldenrun closed a recorder with ${sinks.waitingBytes} bytes that were not written within limits.closeMilliseconds.`,
      )
    },
  }
}

/** Writes down an abort before the agent's own listeners see it, and one that came before the run. */
function listen(run: RecordingRun, context: unknown): void {
  for (const { name, signal } of contextSignals(context)) {
    if (signal.aborted) run.signalBefore(name, signal.reason)
    else signal.addEventListener('abort', () => run.signal(name, signal.reason), { once: true })
  }
}

interface Recording {
  readonly run: RecordingRun
  readonly sink: RunSink
}

function createHeader(run: RunOptions<unknown, unknown>, options: RecorderOptions, ruleSet: RuleSet): RunRow {
  const startedAt = new Date()
  const agentVersion = run.agentVersion ?? options.agentVersion
  return {
    kind: 'run',
    format: FORMAT_VERSION,
    id: createRunId(startedAt),
    traceId: createTraceId(),
    agent: run.agent,
    ...(agentVersion === undefined ? {} : { agentVersion }),
    input: run.input,
    ...(run.tags === undefined ? {} : { tags: run.tags }),
    startedAt: startedAt.toISOString(),
    runtime: currentRuntime(options.env ?? []),
    ...comparedHeaders(options),
    contracts: { models: [], systemPrompts: [], tools: {} },
    fidelity: 'wire',
    redaction: { ...ruleSet.record, standIns: 0 },
  }
}

/** Headers whose values must not be written down. */
const credentials = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'api-key', 'x-goog-api-key'])

function comparedHeaders({ compareHeaders = [] }: RecorderOptions): Pick<RunRow, 'compareHeaders'> {
  return compareHeaders.length === 0 ? {} : { compareHeaders: compareHeaders.map((name) => name.toLowerCase()) }
}

function checkOptions(options: RecorderOptions): void {
  checkKnownOptions('createRecorder', options, [
    'store',
    'agentVersion',
    'env',
    'ambient',
    'compareHeaders',
    'mute',
    'redact',
    'limits',
    'thread',
  ])
  checkRedactOptions('createRecorder', options.redact)
  const { store, compareHeaders = [] } = options
  const credential = compareHeaders.find((name) => credentials.has(name.toLowerCase()))
  if (credential !== undefined) {
    throw new OptionsError(
      'createRecorder',
      'compareHeaders',
      `cannot hold ${JSON.stringify(credential)}: it carries a secret, and says who asks, not what.`,
    )
  }
  if (typeof store === 'string' ? store !== '' : typeof store?.open === 'function') return
  throw new OptionsError('createRecorder', 'store', 'has to be a directory or a store: createRecorder({ store: ".goldenrun/runs" }).')
}
