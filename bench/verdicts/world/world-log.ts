import type { Headers } from '../agents/account.ts'
import { realNow } from './clock.ts'

/** A call as the world saw it. */
export interface SeenCall {
  /** A tool's name, `model`, or method and path. */
  readonly name: string
  /** By value, not through JSON; for a request, its content. Undefined if a request was aborted before it arrived. */
  input: unknown
  /** Of a request: what its service reads of its headers. */
  headers?: Headers
  /** The calls (indices into the log) that had been answered when this one was made. */
  readonly after: ReadonlySet<number>
  /** Whether the agent had returned before. */
  readonly late: boolean
  /** Milliseconds, by the machine's clock. */
  readonly madeAt: number
  settledAt?: number
  /** Whether the agent aborted the call before it had the whole answer. */
  aborted: boolean
}

/** A checkpoint that the agent reported to the world. */
export interface SeenCheckpoint {
  readonly name: string
  readonly state: unknown
  /** The calls that had been answered by then. */
  readonly after: ReadonlySet<number>
}

/** How an agent's run ended. */
export type SeenEnd = { readonly output: unknown } | { readonly error: string }

/** What the world saw of one run, in order. */
export class WorldLog {
  readonly calls: SeenCall[] = []
  readonly checkpoints: SeenCheckpoint[] = []
  end: SeenEnd | undefined
  /** The calls that had been answered by then. */
  endedAfter: ReadonlySet<number> = new Set()
  /** When something was last seen. */
  lastAt: number = realNow()
  readonly #settled = new Set<number>()

  /** @returns The call's index. */
  open(name: string, input?: unknown): number {
    this.lastAt = realNow()
    this.calls.push({
      name,
      input: copy(input),
      after: new Set(this.#settled),
      late: this.end !== undefined,
      madeAt: this.lastAt,
      aborted: false,
    })
    return this.calls.length - 1
  }

  /** Sets the content of a request, which arrives some time after the request was made. */
  receive(index: number, input: unknown, headers: Headers): void {
    const call = this.calls[index]
    if (call !== undefined) Object.assign(call, { input, headers })
  }

  settle(index: number, aborted = false): void {
    const call = this.calls[index]
    if (call === undefined || this.#settled.has(index)) return
    this.lastAt = realNow()
    call.settledAt = this.lastAt
    call.aborted = aborted
    this.#settled.add(index)
  }

  reach(name: string, state: unknown): void {
    this.lastAt = realNow()
    this.checkpoints.push({ name, state: copy(state), after: new Set(this.#settled) })
  }

  finish(end: SeenEnd): void {
    this.lastAt = realNow()
    this.end = copy(end)
    this.endedAfter = new Set(this.#settled)
  }

  get isIdle(): boolean {
    return this.end !== undefined && this.#settled.size === this.calls.length
  }
}

/** Copies a value as it is now: the called code may keep it, and the agent may change it afterwards. */
function copy<Value>(value: Value): Value {
  return structuredClone(value)
}
