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

/** Says which runs are kept where. */
const debug = debugLog('record')

/** Where a recorder's runs are kept, and how. */
export interface SinkOptions {
  readonly store: TraceStore
  /** The store's directory, where it is one. */
  readonly directory: string | undefined
  readonly ruleSet: RuleSet
  readonly redact: RedactOptions | undefined
  readonly limits: Required<RecorderLimits>
  /** Whether runs may be kept by a thread of their own. */
  readonly thread: boolean
  /** Whether it is decided of each run that ended whether it is kept. */
  readonly asks: boolean
  /** Where what redaction takes out is kept. Default: nowhere. */
  readonly secrets?: OpenedSecrets | undefined
  /** Observes runs. */
  readonly telemetry?: Telemetry | undefined
  /** Called for what the writing thread could not store after a run was closed. */
  readonly onStoreFailure: OnStoreFailure
}

/**
 * Opens what runs are handed over to: the thread that keeps runs, where there can be one and it has started, else the agents' own. A run is kept by
 * one of them from its first row to its last.
 */
export class SinkOpener {
  readonly #options: SinkOptions
  /** Why its runs are never kept by a thread; undefined where they may be. */
  readonly #whyInline: string | undefined
  /** Not known before the first run. */
  #place: DiskPlace | undefined
  #isClosed = false
  #registered: { readonly thread: LogThread; readonly recorder: number } | undefined

  constructor(options: SinkOptions) {
    this.#options = options
    this.#whyInline = whyInline(options)
  }

  /** Bytes that were handed over by any recorder of the process and are not written yet. */
  get waitingBytes(): number {
    return this.#registered?.thread.waitingBytes ?? 0
  }

  /**
   * @param run Observes the run that is opened. Default: nobody does.
   * @throws where the recording cannot be opened.
   */
  open(header: RunRow, run?: RunTelemetry): RunSink {
    const { directory, ruleSet, store, limits, telemetry, secrets } = this.#options
    const onEvents = run?.isHeard === true ? (events: readonly TelemetryEvent[]): void => run.tell(events) : undefined
    this.#place ??= directory === undefined ? 'unknown' : placeOfDisk(directory)
    const isLocal = directory !== undefined && this.#place === 'local'
    const journal = isLocal ? new RunJournal(new StoreFiles(directory).journal(header.id), header, ruleSet) : undefined
    const registered = this.#thread()
    // The agents wait for no network, and not for one that has gone: what is handed over early waits for the thread to start.
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

  /** Resolves once all that was handed over is written, or when that takes longer than it may. Whether it was. */
  async drain(): Promise<boolean> {
    if (this.#registered === undefined || this.#registered.thread.isGone) return true
    return await this.#registered.thread.drain(waitFor(this.waitingBytes, this.#options.limits))
  }

  /** As `drain`; nothing is opened any more. */
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
  if (!thread) return 'the recorder was told so'
  if (directory === undefined) return 'its store is an object'
  if (secrets !== undefined && secrets.directory === undefined) return 'its store of secrets is an object'
  // It cannot be handed to another thread.
  return redact?.rules?.some((rule) => 'find' in rule) === true ? 'a redaction rule is a function' : undefined
}
