import { hostOf } from '../../http/host-of.ts'
import { headerValue } from '../../http/headers.ts'
import type { AnsweredRun, ExchangeStart } from '../../run/active-run.ts'
import type { Scope } from '../../run/scope.ts'
import { textFromBytes } from '../../trace/body.ts'
import { agentDoesFor } from '../agent-step.ts'
import type { WriteWatcher } from './body-pieces.ts'

/** The request that a body belongs to. */
type SendingRequest = Pick<ExchangeStart, 'url' | 'headers'>

/** Takes the bytes that are sent before the answer. `isPart` says that the body may continue. */
type Told = (body: Buffer | undefined, isPart: boolean) => void

/** The maximum length of the rest that is compared. */
const longestRest = 2 ** 26

/**
 * The body of a request, as the agent sends it. What it sends before the answer begins is part of the request's step. The rest is a separate
 * step at the end of the body.
 */
export class SentBody implements WriteWatcher {
  readonly #opener: Scope
  readonly #request: SendingRequest
  readonly #told: Told
  readonly #pieces: Buffer[] = []
  #rest: Buffer[] = []
  #restLength = 0
  #isTold = false

  /** @param told Called once. */
  constructor(opener: Scope, request: SendingRequest, told: Told) {
    this.#opener = opener
    this.#request = request
    this.#told = told
  }

  wrote(piece: Buffer): void {
    if (!this.#isTold) this.#pieces.push(piece)
    else if (this.#restLength < longestRest) {
      this.#restLength += piece.length
      this.#rest.push(piece)
    }
  }

  /** The answer begins, or nothing else happens: everything sent from now on is the rest. */
  tell(): void {
    this.#tell(true)
  }

  #tell(isPart: boolean): void {
    if (this.#isTold) return
    this.#isTold = true
    this.#told(wholeOf(this.#pieces), isPart)
  }

  ended(): void {
    if (!this.#isTold) this.#tellAsRecorded()
    const rest = wholeOf(this.#rest)
    if (rest === undefined || isSigned(this.#request)) return
    agentDoesFor(this.#opener, this.#name, valueOf(rest))
  }

  /** A replay may finish sending before the answer begins. Then the rest is split off where it was in the recording. */
  #tellAsRecorded(): void {
    const { run } = this.#opener
    if (run.mode === 'replay' && run.recorded.find(this.#name, {}, 'untaken') !== undefined) this.#splitAsRecorded(run)
    this.#tell(false)
  }

  #splitAsRecorded({ recorded }: AnsweredRun): void {
    const { url } = this.#request
    const cut = recorded.find(hostOf(url).host, { url }, 'untaken')?.cut
    if (cut !== undefined) {
      const whole = Buffer.concat(this.#pieces.splice(0))
      this.#pieces.push(whole.subarray(0, cut))
      this.#rest = [whole.subarray(cut)]
      return
    }
    // Recordings before format 3 do not say where. The rest is found if it is the same.
    const place = this.#pieces.findIndex((_, index) => recorded.isNext(this.#name, valueOf(Buffer.concat(this.#pieces.slice(index)))))
    if (place !== -1) this.#rest = this.#pieces.splice(place)
  }

  get #name(): string {
    const { url } = this.#request
    return `http ${hostOf(url).host}${new URL(url).pathname} send`
  }
}

/** Joins pieces; returns undefined if nothing was sent. */
function wholeOf(pieces: readonly Buffer[]): Buffer | undefined {
  return pieces.length === 0 ? undefined : Buffer.concat(pieces)
}

/** Messages of AWS's event streams are signed one by one, with a key that a replay does not have. */
function isSigned({ headers }: SendingRequest): boolean {
  return headerValue(typeof headers === 'function' ? headers() : headers, 'content-type') === 'application/vnd.amazon.eventstream'
}

function valueOf(bytes: Buffer): unknown {
  return textFromBytes(bytes) ?? new Uint8Array(bytes)
}
