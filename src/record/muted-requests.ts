import type { JudgedRequest } from '../http/telemetry/judge-telemetry.ts'
import type { CapturedExchange, ExchangeStart } from '../run/active-run.ts'
import type { ClosedRow } from '../trace/rows.ts'
import type { RecordingPolicy } from './recording-policy.ts'
import { UndecidedExchange } from './undecided-exchange.ts'
import { unrecordedExchange } from './unrecorded-exchange.ts'

/** The requests that a recording leaves out, and how many there were. */
export class MutedRequests {
  readonly #policy: Pick<RecordingPolicy, 'muting' | 'onMuted'>
  #count = 0

  constructor(policy: Pick<RecordingPolicy, 'muting' | 'onMuted'>) {
    this.#policy = policy
  }

  includes(request: JudgedRequest): boolean {
    return this.#policy.muting(request) === 'muted'
  }

  count(): void {
    this.#count += 1
    this.#policy.onMuted()
  }

  /** Their number, for the last row. */
  get inRow(): Pick<ClosedRow, 'muted'> {
    return this.#count === 0 ? {} : { muted: this.#count }
  }

  /** @param capture Records an exchange, as soon as it is known to be recorded. */
  capture(start: ExchangeStart, capture: (start: ExchangeStart) => CapturedExchange): CapturedExchange {
    if (this.#policy.muting(start) !== 'open') return capture(start)
    return new UndecidedExchange(start, (request, sent) => {
      if (!this.includes(request)) return capture(sent)
      this.count()
      return unrecordedExchange
    })
  }
}
