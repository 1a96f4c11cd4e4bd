import type { Worker } from 'node:worker_threads'
import { builtins } from '../../node/builtins.ts'
import { inTime } from '../../node/in-time.ts'
import { processWide } from '../../node/process-wide.ts'
import { runOutside } from '../../run/scope.ts'
import { asOwnWork } from '../contact/make-contact.ts'
import type { Seen, ToLooker } from './look-messages.ts'

/** How long a question may take, in milliseconds: the thread has to start for the first one. */
const longest = 5_000

const shared = processWide<{ thread: LookThread | undefined }>('look-thread', () => ({ thread: undefined }))

/** Returns the process's thread that looks, which starts on the first call. @param file The worker's file. */
export function lookThread(file: string): LookThread {
  if (shared.thread === undefined || shared.thread.isGone) shared.thread = runOutside(() => asOwnWork(() => new LookThread(file)))
  return shared.thread
}

/** The thread that looks, seen from the agents' thread. It keeps no process alive. */
export class LookThread {
  isGone = false
  readonly #worker: Worker
  readonly #watchers = new Set<(seen: Seen) => void>()
  readonly #answers = new Map<number, (seen: Seen | undefined) => void>()
  #questions = 0

  constructor(file: string) {
    this.#worker = new builtins.workerThreads.Worker(file, { name: 'goldenrun', execArgv: [], env: {} })
    this.#worker.on('message', (seen: Seen) => this.#take(seen))
    this.#worker.on('error', () => this.#leave())
    this.#worker.on('exit', () => this.#leave())
    this.#worker.unref()
  }

  /** Calls a function with what each look sees, if it differs from the look before. */
  watch(by: 'replay' | 'record', onSeen: (seen: Seen) => void): () => void {
    this.#watchers.add(onSeen)
    this.#post({ kind: 'watch', for: by })
    return () => {
      if (this.#watchers.delete(onSeen)) this.#post({ kind: 'leave', for: by })
    }
  }

  /** Looks now. Undefined if the thread does not answer. Keeps the process alive until it does. */
  async ask(): Promise<Seen | undefined> {
    if (this.isGone) return undefined
    this.#questions += 1
    const question = this.#questions
    const answer = new Promise<Seen | undefined>((resolve) => this.#answers.set(question, resolve))
    this.#worker.ref()
    this.#post({ kind: 'ask', question })
    const seen = await inTime(answer, longest, 'the thread that looks for native contacts did not answer').catch(() => undefined)
    this.#answers.delete(question)
    if (this.#answers.size === 0) this.#worker.unref()
    return seen
  }

  /** These are not told again, as long as they are open. */
  knows(ids: readonly string[]): void {
    if (ids.length > 0) this.#post({ kind: 'knows', ids })
  }

  #post(message: ToLooker): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a thread, not a window
    if (!this.isGone) this.#worker.postMessage(message)
  }

  #take(seen: Seen): void {
    for (const watcher of this.#watchers) watcher(seen)
    if (seen.question !== undefined) this.#answers.get(seen.question)?.(seen)
  }

  #leave(): void {
    this.isGone = true
    for (const answer of this.#answers.values()) answer(undefined)
  }
}
