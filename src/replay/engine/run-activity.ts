import { isLiveHost } from '../../http/live-hosts.ts'
import type { LiveContacts } from '../../run/active-run.ts'
import type { AgentTurns } from '../../run/agent-turns.ts'
import type { Activity } from './conducted.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { Plan } from '../calls/plan.ts'

/** What a replayed run does by itself, besides work known to the event loop. */
export class RunActivity {
  readonly #plan: Plan
  readonly #turns: AgentTurns
  readonly #wake: () => void
  /** Calls whose request body is still being sent, and functions that cut it. */
  readonly #sending = new Map<ReplayCall, (() => void) | undefined>()
  /** Functions that end messages which the agent has begun but not ended. */
  readonly #writing = new Set<() => void>()
  #working = 0
  #contacts = 0
  #hasContact = false

  /** @param wake Called when some activity has ended. */
  constructor(plan: Plan, turns: AgentTurns, wake: () => void) {
    this.#plan = plan
    this.#turns = turns
    this.#wake = wake
  }

  /** @returns A function to call when the work is done. */
  work(): () => void {
    this.#working += 1
    return once(() => {
      this.#working -= 1
      this.#wake()
    })
  }

  /** The live contacts with these hosts. */
  contactsWith(live: readonly string[]): LiveContacts {
    return {
      isNone: live.length === 0,
      includes: (host) => isLiveHost(host, live),
      start: () => {
        this.#contacts += 1
        return once(() => {
          this.#contacts -= 1
          this.#wake()
        })
      },
      note: () => (this.#hasContact = true),
    }
  }

  /**
   * @param arrive Waits for the call's request body.
   * @param cut Cuts the body off after what was sent. Default: it cannot be cut.
   */
  async send(call: ReplayCall, arrive: () => Promise<void>, cut?: () => void): Promise<void> {
    this.#sending.set(call, cut)
    try {
      await arrive()
    } finally {
      this.#sending.delete(call)
      this.#wake()
    }
  }

  /** @param cut Ends the message. @returns A function to call when it has ended. */
  write(cut: () => void): () => void {
    this.#writing.add(cut)
    return () => {
      if (this.#writing.delete(cut)) this.#wake()
    }
  }

  /** Stops waiting for the rest of request bodies and messages. Returns whether there were any that can be cut. */
  cutBodies(): boolean {
    const messages = [...this.#writing]
    this.#writing.clear()
    for (const cut of messages) cut()
    const cuts = [...this.#sending].filter(([, cut]) => cut !== undefined)
    for (const [call, cut] of cuts) {
      this.#sending.set(call, undefined)
      cut?.()
    }
    return cuts.length > 0 || messages.length > 0
  }

  /**
   * The run's current activity.
   *
   * @param isFinished Whether the agent has ended, so that it no longer waits for live answers.
   */
  now(isFinished: boolean): Activity {
    if (this.#working > 0 || (this.#contacts > 0 && !isFinished)) return 'working'
    if (this.#turns.areAnyAwaited) return 'turning'
    return this.#sending.size > 0 || this.#writing.size > 0 || (this.#hasContact && !isFinished) ? 'sending' : 'none'
  }

  /** Whether a recorded step is being called: a call of its owner, boundary and name is being sent. */
  isArriving(step: number): boolean {
    const recorded = this.#sending.size === 0 ? undefined : this.#plan.steps.get(step)?.call
    if (recorded === undefined) return false
    for (const { boundary, name, owner } of this.#sending.keys()) {
      if (boundary === recorded.boundary && name === recorded.name && (owner?.planned?.call.step ?? 0) === recorded.owner) return true
    }
    return false
  }
}

function once(action: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) action()
    isDone = true
  }
}
