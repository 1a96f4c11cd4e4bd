import { runOutside } from '../../run/scope.ts'
import type { Effect } from '../../trace/boundary.ts'
import type { CheckpointPolicy } from './checkpoint-policy.ts'

/** So many bytes of answers to a call make checkpoints half as frequent, twice as many a third as frequent, and so on up to the most. */
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
  /** The call after which one is due. */
  #due: { readonly owner: number; readonly name: string } | undefined

  /**
   * @param take Keeps a checkpoint, and gives the length of its state's JSON.
   * @param note Notes what came in the way.
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

  /** The agent says how its state is read. */
  register(read: () => unknown): void {
    this.#read = read
  }

  /** So many bytes of an answer arrived. */
  receives(bytes: number): void {
    this.#bytes += bytes
  }

  /** A step is about to start. Of a function with its name. */
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

  /** A function has settled. */
  afterCall(owner: number, name: string): void {
    if (this.#policy.after?.includes(name) === true) this.#due = { owner, name }
  }

  /** The agent is through. */
  end(): void {
    if (this.#due !== undefined) this.#checkpoint(this.#due.owner, `after ${this.#due.name}`)
  }

  /** Few bytes between calls make it dense, many sparse. */
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
      // What reading it draws is not the run's: a replay does not read it.
      const length = this.#take(owner, name, runOutside(read))
      if (length <= (this.#policy.longestState ?? 262_144)) return
      this.#note('checkpoint-too-long', `${name}: its state is ${length} characters long, no more are taken by policy`)
    } catch (error) {
      this.#note('checkpoint-failed', `${name}: ${String(error)}, no more are taken by policy`)
    }
    this.#left = 0
  }
}
