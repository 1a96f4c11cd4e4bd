import type { Settled } from '../../trace/rows.ts'
import { Delivery } from '../calls/replay-call.ts'

/** Settles a call whose answer comes in parts: passes them to a door. */
export abstract class SinkDelivery<Sink extends { fail(error: unknown): void }> extends Delivery {
  /** Released when the call settles: it may hold a whole answer, and calls are kept until the replay is over. */
  protected sink: Sink | undefined

  constructor(sink: Sink) {
    super()
    this.sink = sink
  }

  refuse(error: unknown): void {
    this.tell({ error })
    this.release()?.fail(error)
  }

  /** Settles the call with an outcome that the trace does not have, unless the agent has stopped the call. */
  protected tell(outcome: Settled): void {
    if (this.sink !== undefined && this.call !== undefined) this.call.outcome = outcome
  }

  /** Returns the sink and gives it up; undefined if the agent has stopped the call. */
  protected release(): Sink | undefined {
    const { sink } = this
    this.sink = undefined
    this.settle()
    return sink
  }
}
