import path from 'node:path'
import { debugLog } from '../node/debug-log.ts'
import { writesUnderWay } from '../stores/writes-under-way.ts'
import type { OpenedSecrets } from '../stores/secrets/secrets-options.ts'
import type { OnStoreFailure, TraceStore } from '../stores/trace-store.ts'
import type { RunRow } from '../trace/run-row.ts'
import { type DiskPlace, placeOfDisk } from '../stores/local-disk.ts'
import { StoreFiles } from '../stores/store-files.ts'
import { RunJournal } from './journal/run-journal.ts'
import { type RecorderLimits, waitFor } from './limits.ts'
import { createInlineSink } from './raw/inline-sink.ts'
import { RunSecrets } from './secrets/run-secrets.ts'
import type { RunSink } from './raw/raw-entry.ts'
import type { RedactOptions } from '../redaction/redact-options.ts'
import type { RuleSet } from '../redaction/rule-set.ts'
import type { RunTelemetry, Telemetry } from './telemetry/telemetry.ts'
import type { LogThread } from './thread/log-thread.ts'
import { processThread } from './thread/process-thread.ts'
import type { TelemetryEvent } from './telemetry/telemetry-events.ts'

/** Logs where each run is kept. */
const debug = debugLog('record')

/** Where a recorder's runs are kept, and how. */
export interface SinkOptions {
  readonly store: TraceStore
  /** The store's directory, if the store is one. */
  readonly directory: string | undefined
  readonly ruleSet: RuleSet
  readonly redact: RedactOptions | undefined
  readonly limits: Required<RecorderLimits>
  /** Whether a separate thread may keep the runs. */
  readonly thread: boolean
  /** Whether each run is decided on, after it has ended, before it is kept. */
  readonly asks: boolean
  /** Where secrets that redaction removes are kept. Default: nowhere. */
  readonly secrets?: OpenedSecrets | undefined
  /** Observes runs. */
  readonly telemetry?: Telemetry | undefined
  /** Called when the writing thread could not store something after a run was closed. */
  readonly onStoreFailure: OnStoreFailure
}

/**
 * Opens the sink for each run: the thread that keeps runs, if there can be one and it has started, else the agents' own thread. One thread keeps a
 * run from its first row to its last.
 */
export class SinkOpener {
  readonly #options: SinkOptions
  /** Why its runs are never kept by the thread; undefined if they may be. */
  readonly #whyInline: string | undefined
  /** Unknown before the first run. */
  #place: DiskPlace | undefined
  #isClosed = false
  #registered: { readonly thread: LogThread; readonly recorder: number } | undefined

  constructor({ directory, ...options }: SinkOptions) {
    // An agent may change the working directory.
    this.#options = { ...options, directory: directory === undefined ? undefined : path.resolve(directory) }
    this.#whyInline = whyInline(this.#options)
  }

  /** Bytes that any recorder of the process has handed over and that are not written yet. */
  get waitingBytes(): number {
    return this.#registered?.thread.waitingBytes ?? 0
  }

  /**
   * @param run Observes the run that is opened. Default: none.
   * @throws if the recording cannot be opened.
   */
  open(header: RunRow, run?: RunTelemetry): RunSink {
    const { directory, ruleSet, store, limits, telemetry, secrets } = this.#options
    const onEvents = run?.isHeard === true ? (events: readonly TelemetryEvent[]): void => run.tell(events) : undefined
    this.#place ??= directory === undefined ? 'unknown' : placeOfDisk(directory)
    const isLocal = directory !== undefined && this.#place === 'local'
    const journal = isLocal ? new RunJournal(new StoreFiles(directory).journal(header.id), header, ruleSet) : undefined
    const registered = this.#thread()
    // Agents do not wait for a network, even one that is gone: data that is handed over early waits for the thread to start.
    const isOnThread = registered !== undefined && (registered.thread.isReady || this.#place === 'elsewhere')
    debug?.(
      () =>
        `run ${header.id} is kept ${isOnThread ? 'on a thread of its own' : `on the agents' thread: ${this.#whyInline ?? 'the thread has not started, or cannot'}`}`,
    )
    if (isOnThread) return registered.thread.open(registered.recorder, header, limits, journal, onEvents)
    const telling = telemetry && onEvents && { builder: telemetry.createEventBuilder(), onEvents }
    const runSecrets = secrets && new RunSecrets(header.id, secrets.store, secrets.keys.current)
    return createInlineSink(header, ruleSet, store, journal, telling, runSecrets)
  }

  /** Starts the thread, and resolves once it has started. */
  async start(): Promise<void> {
    await this.#thread()?.thread.start()
  }

  /** Resolves once everything handed over is written or the time limit has passed. Returns whether it was written. */
  async drain(): Promise<boolean> {
    if (this.#registered === undefined || this.#registered.thread.isGone) return true
    return await this.#registered.thread.drain(waitFor(this.waitingBytes, this.#options.limits))
  }

  /** Like `drain`; afterwards no run is opened. */
  async close(): Promise<boolean> {
    const isWritten = await this.drain()
    if (!this.#isClosed) this.#registered?.thread.unregister(this.#registered.recorder)
    this.#isClosed = true
    return isWritten
  }

  #thread(): { readonly thread: LogThread; readonly recorder: number } | undefined {
    const { directory, redact, asks, telemetry, secrets, onStoreFailure } = this.#options
    if (this.#whyInline !== undefined || directory === undefined) return undefined
    const thread = processThread()
    if (thread === undefined) return undefined
    if (this.#registered?.thread !== thread) {
      this.#registered = {
        thread,
        recorder: thread.register(
          {
            directory,
            redact,
            asks,
            tells: telemetry && { content: telemetry.content },
            secrets: secrets?.directory === undefined ? undefined : { directory: secrets.directory, key: secrets.keys.current },
          },
          onStoreFailure,
        ),
      }
      writesUnderWay.set(directory, () => this.drain())
    }
    return this.#registered
  }
}

function whyInline({ thread, directory, secrets, redact }: SinkOptions): string | undefined {
  if (!thread) return 'its options turn the thread off'
  if (directory === undefined) return 'its store is an object'
  if (secrets !== undefined && secrets.directory === undefined) return 'its store of secrets is an object'
  // A function cannot be passed to another thread.
  return redact?.rules?.some((rule) => 'find' in rule) === true ? 'a redaction rule is a function' : undefined
}
