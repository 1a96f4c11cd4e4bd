import { realTimers } from '../../node/real-timers.ts'
import { runOutside } from '../../run/scope.ts'
import type { RunSummary } from '../run-summary.ts'
import { termsOf } from '../run-terms.ts'
import type { OnStoreFailure } from '../trace-store.ts'
import type { RedisKeys } from './redis-keys.ts'
import { FINISH, INDEX, PUSH, REMOVE } from './redis-scripts.ts'

/** The state of sending one run. */
export interface Outgoing {
  readonly id: string
  /** Bytes of its log that are not sent yet. */
  unsent: Uint8Array[]
  /** The piece that is being sent. It stays the same until it arrives. */
  piece?: Buffer
  /** The size of its log so far, in bytes. */
  size: number
  /** How many pieces have arrived. */
  pieces: number
  summary?: RunSummary
  /** `push`: send what there is. `finish`: the log is complete. `discard`: drop the run. */
  wish: 'nothing' | 'push' | 'finish' | 'discard'
  /** Increases with each addition. */
  version: number
  /** Redis may already know the run. */
  isSent?: true
  /** When sending first failed, in milliseconds of a monotonic clock. */
  failingSince?: number
  /** The run is lost; nothing more of it is sent. */
  isLost?: true
  /** Settles once Redis has the finished log, or the run is lost. */
  readonly stored: PromiseWithResolvers<void>
}

/** Creates the state of a run of which nothing is sent yet. */
export function createOutgoing(id: string): Outgoing {
  const stored = Promise.withResolvers<void>()
  // Not every caller waits for it.
  stored.promise.catch(() => undefined)
  return { id, unsent: [], size: 0, pieces: 0, wish: 'nothing', version: 0, stored }
}

/** How long data waits to be sent in a batch, in milliseconds, and how long until a retry. */
const BATCH_DELAY = 50
const RETRY_DELAY = 500

/** How many runs are sent at once. */
const AT_ONCE = 64

/** In bytes. Longer logs are sent in pieces, and can be read piece by piece. */
export const LONGEST_PIECE = 1_048_576

/** Sends what runs have written, in the background. Data that cannot be sent for too long is lost, and reported. */
export class RedisOutbox {
  readonly #keys: RedisKeys
  readonly #limits: { readonly patience: number; readonly memory: number }
  readonly #waiting = new Map<string, Outgoing>()
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  /** Why sending last failed; undefined once it has succeeded. */
  #failure: unknown
  /** Called for each lost run. Default: ignores it. */
  onFailure: OnStoreFailure = () => undefined

  constructor(keys: RedisKeys, limits: { readonly patience: number; readonly memory: number }) {
    this.#keys = keys
    this.#limits = limits
  }

  /** Schedules sending what was added to a run. */
  add(outgoing: Outgoing): void {
    if (outgoing.isLost === true) return
    outgoing.version += 1
    this.#waiting.set(outgoing.id, outgoing)
    if (this.#bytes() > this.#limits.memory)
      this.#lose(outgoing, new Error(`the data that waits for Redis has reached its limit (${this.#limits.memory} bytes)`))
    else this.#schedule(BATCH_DELAY)
  }

  /** Returns the unsent state of a run. */
  of(id: string): Outgoing | undefined {
    return this.#waiting.get(id)
  }

  /** Resolves when everything is sent; rejects if anything is lost. */
  async flush(): Promise<void> {
    let failure: { readonly error: unknown } | undefined
    while (this.#waiting.size > 0) {
      failure = (await this.#send()) ?? failure
      if (this.#waiting.size > 0) await new Promise((resolve) => runOutside(() => realTimers.setTimeout(resolve, BATCH_DELAY)))
    }
    if (failure !== undefined) throw failure.error
  }

  /** Drops the data that waits, and reports its runs as lost. */
  abandon(): void {
    realTimers.clearTimeout(this.#timer)
    this.#timer = undefined
    for (const run of this.#waiting.values()) this.#lose(run, this.#failure ?? new Error('the recorder was closed before Redis took it'))
  }

  /** Resolves when the waiting data has been sent, or sending it has failed. */
  async settled(): Promise<void> {
    if (this.#waiting.size > 0) await this.#send()
  }

  /** @note The timer keeps the process alive: if it ended, the waiting data would be lost. */
  #schedule(delay: number): void {
    this.#timer ??= runOutside(() => realTimers.setTimeout(() => void this.#send(), delay))
  }

  /** Sends everything that waits. Returns the error if anything was lost. */
  async #send(): Promise<{ readonly error: unknown } | undefined> {
    realTimers.clearTimeout(this.#timer)
    this.#timer = undefined
    while (this.#sending !== undefined) await this.#sending
    let failure: { readonly error: unknown } | undefined
    this.#sending = this.#sendAll((error) => (failure = { error }))
    await this.#sending
    this.#sending = undefined
    if (this.#waiting.size > 0) this.#schedule(RETRY_DELAY)
    return failure
  }

  async #sendAll(onLost: (error: unknown) => void): Promise<void> {
    const runs = [...this.#waiting.values()]
    try {
      // A client library may queue commands while it is not connected; logs are queued only here.
      if (runs.length > 0) await this.#keys.send('PING')
    } catch (error) {
      for (const run of runs) if (this.#fails(run, error)) onLost(error)
      return
    }
    for (let start = 0; start < runs.length; start += AT_ONCE)
      await Promise.all(
        runs.slice(start, start + AT_ONCE).map(async (run) => {
          try {
            await this.#sendRun(run)
          } catch (error) {
            if (this.#fails(run, error)) onLost(error)
          }
        }),
      )
  }

  async #sendRun(run: Outgoing): Promise<void> {
    const { id, wish, summary, version } = run
    if (wish !== 'discard') run.isSent = true
    const isWhole = wish === 'finish' && run.pieces === 0 && run.piece === undefined && sizeOf(run.unsent) <= LONGEST_PIECE
    if (wish === 'discard' && run.isSent === true) await this.#keys.run(REMOVE, 'logs', id)
    if (!isWhole && (wish === 'push' || wish === 'finish')) await this.#push(run)
    const log = isWhole ? Buffer.concat(run.unsent) : ''
    const indexed = summary === undefined ? ['', '[]'] : [JSON.stringify({ ...summary, bytes: run.size }), JSON.stringify(termsIn(summary))]
    if (wish === 'finish') await this.#keys.run(FINISH, 'logs', id, ...indexed, String(run.pieces), log, '')
    else if (wish !== 'discard' && summary !== undefined) await this.#keys.run(INDEX, 'logs', id, ...indexed)
    delete run.failingSince
    this.#failure = undefined
    if (wish === 'finish') run.stored.resolve()
    if (run.version === version) this.#waiting.delete(id)
  }

  /** Sends the pieces in order. If it is unknown whether one arrived, it is sent again, and not stored twice. */
  async #push(run: Outgoing): Promise<void> {
    while (run.piece !== undefined || run.unsent.length > 0) {
      if (run.piece === undefined) {
        const some = firstOf(run.unsent)
        run.piece = Buffer.concat(some)
        run.unsent = run.unsent.slice(some.length)
      }
      await this.#keys.run(PUSH, 'logs', run.id, String(run.pieces), run.piece)
      delete run.piece
      run.pieces += 1
    }
  }

  /** Notes a failure. Returns whether the run is lost. */
  #fails(run: Outgoing, error: unknown): boolean {
    // Lost while it was being sent.
    if (run.isLost === true) return true
    this.#failure = error
    run.failingSince ??= performance.now()
    if (performance.now() - run.failingSince < this.#limits.patience) return false
    this.#lose(run, error)
    return true
  }

  #lose(run: Outgoing, error: unknown): void {
    this.#waiting.delete(run.id)
    run.isLost = true
    run.unsent = []
    run.stored.reject(error)
    this.onFailure(run.id, error)
  }

  #bytes(): number {
    let bytes = 0
    for (const { unsent, piece } of this.#waiting.values()) bytes += sizeOf(unsent) + (piece?.length ?? 0)
    return bytes
  }
}

/** Returns the terms of a run, and the empty term that all runs have. */
export function termsIn(summary: RunSummary): string[] {
  return ['', ...termsOf(summary)]
}

/** Returns the first pieces that fit into one piece together. */
function firstOf(unsent: readonly Uint8Array[]): Uint8Array[] {
  let size = 0
  const end = unsent.findIndex((piece) => (size += piece.length) > LONGEST_PIECE)
  return unsent.slice(0, end === -1 ? unsent.length : Math.max(1, end))
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((size, { length }) => size + length, 0)
}
