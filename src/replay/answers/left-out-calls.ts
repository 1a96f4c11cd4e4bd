import { headerValue } from '../../http/headers.ts'
import type { JudgedRequest } from '../../http/telemetry/judge-telemetry.ts'
import { createMuting, isMutedCall, type Muting } from '../../http/telemetry/muting.ts'
import type { NamedTelemetry } from '../../http/telemetry/telemetry-hosts.ts'
import type { Step, Trace } from '../../trace/trace.ts'
import { isOfHost } from '../calls/is-of-host.ts'
import type { ReplaySettings } from '../contract/replay-options.ts'
import type { AmbientCalls } from './ambient-calls.ts'

/** The calls that a replay does not compare: ambient, muted and live ones. */
export class LeftOutCalls {
  /** What the project mutes and records. */
  readonly telemetry: NamedTelemetry
  readonly #muting: Muting
  readonly #ambient: AmbientCalls
  readonly #live: readonly string[]
  readonly #format: number

  constructor({ header }: Trace, ambient: AmbientCalls, { mute, record, live }: Pick<ReplaySettings, 'mute' | 'record' | 'live'>) {
    this.telemetry = { mute: [...mute, ...(header.muted ?? [])], record: [...record, ...(header.unmuted ?? [])] }
    this.#muting = createMuting(this.telemetry, header.format)
    this.#ambient = ambient
    this.#live = live
    this.#format = header.format
  }

  /** Whether a recorded call is not compared. */
  has(call: Pick<Step, 'step' | 'boundary' | 'name' | 'input'>): boolean {
    return this.#ambient.leavesOut(call) || isMutedCall(call, this.#muting) || isOfHost(call, this.#live)
  }

  /** Whether a request is answered with success, as far as is known. */
  mutes(request: JudgedRequest): boolean {
    return this.#muting(request) === 'muted'
  }

  /** Returns the content type in which a muted request is answered. Before format 3, the answer had no body. */
  contentTypeFor({ headers }: JudgedRequest): string | undefined {
    return this.#format < 3 ? undefined : headerValue(typeof headers === 'function' ? headers() : headers, 'content-type')
  }

  /** Whether only the body tells how a request is answered. */
  dependsOnBody(request: JudgedRequest): boolean {
    const verdict = this.#muting(request)
    return verdict === 'open' || (verdict === 'recorded' && this.#ambient.dependsOnBody(request))
  }
}
