import { runOutside } from '../../run/scope.ts'
import type { Effect } from '../../trace/boundary.ts'
import type { CheckpointPolicy } from './checkpoint-policy.ts'

/** This many bytes of answers per call halve the frequency of checkpoints, twice as many reduce it to a third, and so on up to the maximum. */
const DENSE = 16_384
const SPARSEST = 8

/** Takes the checkpoints of one run that the recorder's policy asks for. */
export class PolicyCheckpoints {
  readonly #policy: CheckpointPolicy
  readonly #take: (owner: number, name: string, state: unknown) => number
  readonly #note: (what: string, where: string) => void
  #read: (() => unknown) | undefined
  #calls = 0
  #bytes = 0
  #left: number
  /** The call after which a checkpoint is due. */
  #due: { readonly owner: number; readonly name: string } | undefined

  /**
   * @param take Takes a checkpoint, and returns the length of its state's JSON.
   * @param note Notes what prevented a checkpoint.
   */
  constructor(
    policy: CheckpointPolicy,
    take: (owner: number, name: string, state: unknown) => number,
    note: (what: string, where: string) => void,
  ) {
    this.#policy = policy
    this.#take = take
    this.#note = note
    this.#left = policy.most ?? 200
  }

  /** Called when the agent registers the function that reads its state. */
  register(read: () => unknown): void {
    this.#read = read
  }

  /** Called when bytes of an answer arrive. */
  receives(bytes: number): void {
    this.#bytes += bytes
  }

  /** Called before a step starts. @param call The function that is called, if any. */
  beforeStep(owner: number, call?: { readonly name: string; readonly effect?: Effect }): void {
    const { everyToolCalls, beforeWrites = false } = this.#policy
    const due = this.#due
    this.#due = undefined
    const isFull = everyToolCalls !== undefined && call !== undefined && this.#calls >= everyToolCalls * this.#sparseness()
    if (call?.effect === 'write' && beforeWrites) this.#checkpoint(owner, `before ${call.name}`)
    else if (due !== undefined) this.#checkpoint(due.owner, `after ${due.name}`)
    else if (isFull) this.#checkpoint(owner, `after ${this.#calls} calls`)
    if (call !== undefined) this.#calls += 1
  }

  /** Called when a function has settled. */
  afterCall(owner: number, name: string): void {
    if (this.#policy.after?.includes(name) === true) this.#due = { owner, name }
  }

  /** Called when the agent has finished. */
  end(): void {
    if (this.#due !== undefined) this.#checkpoint(this.#due.owner, `after ${this.#due.name}`)
  }

  /** Returns a low factor for few bytes between calls, a high one for many. */
  #sparseness(): number {
    return Math.min(SPARSEST, 1 + Math.floor(this.#bytes / Math.max(1, this.#calls) / DENSE))
  }

  #checkpoint(owner: number, name: string): void {
    const read = this.#read
    if (read === undefined || this.#left === 0) return
    this.#left -= 1
    this.#calls = 0
    this.#bytes = 0
    try {
      // Draws made while reading the state do not belong to the run: a replay does not read it.
      const length = this.#take(owner, name, runOutside(read))
      if (length <= (this.#policy.longestState ?? 262_144)) return
      this.#note('checkpoint-too-long', `${name}: its state is ${length} characters long, so the policy takes no more checkpoints`)
    } catch (error) {
      this.#note('checkpoint-failed', `${name}: ${String(error)}, so the policy takes no more checkpoints`)
    }
    this.#left = 0
  }
}
