import type { Worker } from 'node:worker_threads'
import { builtins } from '../../node/builtins.ts'
import { realTimers } from '../../node/real-timers.ts'
import { currentVariables, type Variables } from '../../node/variables.ts'
import type { RunSummary } from '../../stores/run-summary.ts'
import type { OnStoreFailure } from '../../stores/trace-store.ts'
import type { RunRow } from '../../trace/run-row.ts'
import type { RunJournal } from '../journal/run-journal.ts'
import type { RecorderLimits } from '../limits.ts'
import type { Closed, EntryBody, RunSink } from '../raw/raw-entry.ts'
import type { OnTelemetryEvents } from '../telemetry/telemetry-events.ts'
import { sayNotStored } from '../unstored-runs.ts'
import type { RunMessage } from './run-message.ts'
import { MessageWriter } from './message-writer.ts'
import { ASLEEP, AWAKE, type FromWorker, LOOKS, type RecorderSettings, STATE, type ToWorker, type WorkerData } from './port-messages.ts'

/** A run that is not closed yet, and the receivers of its events. */
interface OpenRun {
  readonly onEvents?: OnTelemetryEvents | undefined
  /** Called when the run's log is complete or writing it failed. */
  readonly onClosed?: ((closed: Closed) => void) | undefined
  readonly keeps?: ((summary: RunSummary) => boolean) | undefined
}

/** The maximum time to wait for the thread to start, in milliseconds. */
const longestStart = 5_000

/** How long the exit of the process waits for data that is not written yet, in milliseconds. */
const longestExit = 1_000

/**
 * The thread that keeps the runs of this process. Entries are written to shared memory, where the thread looks every 100 milliseconds while there is
 * something: waking it costs more than all the rest. The thread keeps the process alive only while `drain` waits for it.
 */
export class LogThread {
  #state: 'starting' | 'ready' | 'gone' = 'starting'
  readonly #worker: Worker
  readonly #attention: Int32Array
  readonly #messages = new MessageWriter((memory) => this.#post({ kind: 'page', memory }))
  #recorders = 0
  /** The thread did not answer in time. */
  #isSilent = false
  /** The number of recorders that may still hand over entries. */
  #users = 0
  #runs = 0
  /** More than half of the bytes that may wait are waiting. */
  #isHurried = false
  #questions = 0
  /** The environment that the thread knows. */
  #variables: Variables | undefined
  readonly #open = new Map<number, OpenRun>()
  /** Keyed by the number of a recorder. Kept until the thread has written everything that the recorder handed over. */
  readonly #onFailures = new Map<number, OnStoreFailure>()
  readonly #answers = new Map<number, () => void>()

  /** @param file The worker's file. */
  constructor(file: string) {
    const attention = new SharedArrayBuffer(8)
    this.#attention = new Int32Array(attention)
    const data: WorkerData = { attention }
    // The thread needs only the log setting of its environment, and none of the modules that the process preloads.
    const { NODE_DEBUG } = process.env
    this.#worker = new builtins.workerThreads.Worker(file, {
      name: 'goldenrun',
      workerData: data,
      execArgv: [],
      env: NODE_DEBUG === undefined ? {} : { NODE_DEBUG },
    })
    this.#worker.on('message', (messages: readonly FromWorker[]) => messages.forEach((message) => this.#take(message)))
    this.#worker.on('error', (error) => this.#leave(error))
    this.#worker.on('exit', () => this.#leave(new Error('the thread that writes recordings has ended')))
    this.#worker.unref()
  }

  get isReady(): boolean {
    return this.#state === 'ready'
  }

  /** Resolves once the thread has started, or cannot. */
  async start(): Promise<void> {
    if (this.#state === 'starting') await this.drain(longestStart)
  }

  get isGone(): boolean {
    return this.#state === 'gone'
  }

  /** The number of bytes that have been handed over and are not written yet. */
  get waitingBytes(): number {
    return this.#messages.waiting
  }

  /** Returns whether `bytes` more would leave no more than `most` waiting. */
  #hasRoom(bytes: number, most: number): boolean {
    const isHalfFull = !this.#messages.hasRoom(bytes, most / 2)
    if (isHalfFull && !this.#isHurried) this.#post({ kind: 'hurry' })
    this.#isHurried = isHalfFull
    return !isHalfFull || this.#messages.hasRoom(bytes, most)
  }

  /** Registers a recorder, and returns its number. */
  register(settings: RecorderSettings, onStoreFailure: OnStoreFailure): number {
    this.#recorders += 1
    this.#onFailures.set(this.#recorders, onStoreFailure)
    if (this.#users === 0) process.once('exit', this.#onExit)
    this.#users += 1
    this.#post({ kind: 'recorder', recorder: this.#recorders, settings })
    return this.#recorders
  }

  /** Called when a recorder hands over nothing more. */
  unregister(recorder: number): void {
    this.#post({ kind: 'recorder-closed', recorder })
    this.#users -= 1
    if (this.#users === 0 && !this.#isSilent) process.off('exit', this.#onExit)
  }

  /**
   * Opens a run, which the thread keeps from here on.
   *
   * @param journal Holds the side effects that start. Without it, declared side effects wait for the thread.
   * @param onEvents Receives the run's events. Default: none.
   * @throws if as much is waiting as may wait, or the thread has ended.
   */
  open(
    recorder: number,
    header: RunRow,
    limits: Required<RecorderLimits>,
    journal: RunJournal | undefined,
    onEvents?: OnTelemetryEvents,
  ): RunSink {
    if (!this.#hasRoom(1, limits.memoryBytes))
      throw new Error(`the data that waits to be written has reached limits.memoryBytes (${limits.memoryBytes})`)
    this.#runs += 1
    const run = this.#runs
    this.#open.set(run, { onEvents })
    this.#append(run, { kind: 'begin', recorder, header, isObserved: onEvents !== undefined })
    const flush = (): boolean => this.#flush(limits.sideEffectMilliseconds)
    return {
      announce: (call) => journal?.append(call) === true || call.effect === undefined || flush(),
      take: (entry, body) => this.#append(run, entry, body),
      hasRoom: (bytes) => this.#hasRoom(bytes, limits.memoryBytes),
      flush,
      close: (onClosed, keeps) => this.#close(run, onClosed, keeps),
    }
  }

  /** @throws if the thread has ended. */
  #append(run: number, message: RunMessage, body?: EntryBody): void {
    if (this.#state === 'gone') throw new Error('the thread that writes recordings has ended')
    if (message.kind === 'begin' || message.kind === 'request' || message.kind === 'row') this.#tellEnvironment()
    this.#messages.append(run, message, body)
    if (Atomics.load(this.#attention, STATE) === ASLEEP && Atomics.exchange(this.#attention, STATE, AWAKE) === ASLEEP)
      this.#post({ kind: 'wake' })
  }

  /** The thread has no environment of its own. */
  #tellEnvironment(): void {
    const variables = currentVariables()
    if (variables === this.#variables) return
    this.#variables = variables
    this.#post({ kind: 'environment', values: variables.values })
  }

  /** Ends a run. */
  #close(run: number, onClosed: OpenRun['onClosed'], keeps: OpenRun['keeps']): void {
    this.#open.set(run, { ...this.#open.get(run), onClosed, keeps })
    try {
      this.#append(run, { kind: 'close' })
    } catch (error) {
      this.#open.delete(run)
      onClosed?.({ isKept: true, failure: { error } })
    }
  }

  /** Blocks until everything handed over has reached the operating system, for `milliseconds` at most. Returns whether it has. */
  #flush(milliseconds: number): boolean {
    if (this.#state === 'gone') return false
    if (this.waitingBytes === 0) return true
    this.#post({ kind: 'look' })
    return this.#messages.waitForReader(milliseconds)
  }

  /** Resolves once everything handed over is written and the ends of the runs are reported, after `milliseconds` at the latest. Returns whether it was. */
  async drain(milliseconds: number): Promise<boolean> {
    if (this.#state === 'gone') return false
    this.#questions += 1
    const question = this.#questions
    this.#worker.ref()
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<boolean>((resolve) => {
        this.#answers.set(question, () => resolve(true))
        timer = realTimers.setTimeout(() => {
          this.#isSilent = true
          resolve(false)
        }, milliseconds)
        this.#post({ kind: 'ask', question })
      })
    } finally {
      realTimers.clearTimeout(timer)
      this.#answers.delete(question)
      if (this.#answers.size === 0) this.#worker.unref()
    }
  }

  #post(message: ToWorker): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is no window
    this.#worker.postMessage(message)
  }

  #take(message: FromWorker): void {
    switch (message.kind) {
      case 'ready':
        this.#state = 'ready'
        return
      case 'closed': {
        const { isKept, failure } = message
        const { onClosed } = this.#open.get(message.run) ?? {}
        this.#open.delete(message.run)
        onClosed?.({ isKept, ...(failure === undefined ? {} : { failure: { error: failure } }) })
        return
      }
      case 'ended': {
        const { keeps } = this.#open.get(message.run) ?? {}
        this.#post({ kind: 'decision', run: message.run, isKept: keeps?.(message.summary) !== false })
        return
      }
      case 'events':
        this.#open.get(message.run)?.onEvents?.(message.events)
        return
      case 'store-failure':
        this.#onFailures.get(message.recorder)?.(message.id, message.error, message.lost)
        return
      case 'recorder-forgotten':
        this.#onFailures.delete(message.recorder)
        return
      case 'answer':
        this.#isSilent = false
        this.#answers.get(message.question)?.()
    }
  }

  #leave(error: unknown): void {
    if (this.#state === 'gone') return
    this.#state = 'gone'
    process.off('exit', this.#onExit)
    // Everything handed to the thread is lost.
    this.#messages.drop()
    for (const { onClosed } of this.#open.values()) onClosed?.({ isKept: true, failure: { error } })
    this.#open.clear()
    for (const answer of this.#answers.values()) answer()
  }

  /** A program may exit without closing its recorder. */
  readonly #onExit = (code: number): void => {
    const longest = this.isReady ? longestExit : longestStart
    if ((this.waitingBytes === 0 && !this.#isSilent) || this.#looksWithin(longest)) return
    if (this.#open.size > 0) sayNotStored(this.#open.size)
    leave(code)
  }

  /** Blocks until the thread has looked for messages and read them, for `milliseconds` at most. Returns whether it has. */
  #looksWithin(milliseconds: number): boolean {
    const looks = Atomics.load(this.#attention, LOOKS)
    if (this.waitingBytes > 0) return this.#flush(milliseconds)
    this.#post({ kind: 'look' })
    return Atomics.wait(this.#attention, LOOKS, looks, milliseconds) !== 'timed-out'
  }
}

/**
 * Ends the process. Node waits for every thread to end, and a thread whose disk does not answer never does: a dead mount would keep the process alive
 * forever. Source: execve(2), which ends all threads and keeps the process id; the program that replaces it exits with the same code.
 */
function leave(code: number): void {
  process.execve?.(process.execPath, [process.execPath, '-e', `process.exitCode = ${code}`], {})
}
