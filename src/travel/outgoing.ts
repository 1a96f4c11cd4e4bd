import { isStandInKey } from '../config/stand-in-keys.ts'
import { hostOf } from '../http/host-of.ts'
import { isLiveHost } from '../http/live-hosts.ts'
import { applyEdits } from '../redaction/edits.ts'
import type { StandIns } from '../redaction/stand-in.ts'
import { standInsOf } from '../redaction/trace-stand-ins.ts'
import type { AgentRequest } from '../replay/answers/http-delivery.ts'
import type { HttpInput } from '../trace/rows.ts'
import type { Trace } from '../trace/trace.ts'

/** The rules for live requests. */
export interface OutgoingOptions {
  /** Hosts in addition to the recorded ones, with or without a port. */
  readonly allowHost: readonly string[]
  /** Real values for stand-ins in the request, or `send` to send stand-ins unchanged. */
  readonly standIns: 'refuse' | 'send' | Readonly<Record<string, string>>
}

/** A request that goes out. */
export interface Outgoing extends Pick<HttpInput, 'method' | 'url' | 'headers'> {
  readonly body: string | Uint8Array | undefined
}

/** Headers that belong to the agent's connection, not to its request. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

const keyIsMissing = 'is a stand-in that goldenrun set because the environment has none'

/** Whether a refusal says that the environment has no API key. */
export function isKeyMissing(refusal: string): boolean {
  return refusal.includes(keyIsMissing)
}

/** Decides whether a request may be sent, and what it contains. */
export class OutgoingPolicy {
  readonly #options: OutgoingOptions
  readonly #hosts: ReadonlySet<string>
  readonly #known: Pick<StandIns, 'find'>

  constructor(trace: Trace, options: OutgoingOptions) {
    const { steps } = trace
    this.#options = options
    this.#known = standInsOf(trace)
    this.#hosts = new Set(
      steps.flatMap(({ boundary, input }) =>
        boundary === 'model' || boundary === 'http' ? [hostOf((input as HttpInput).url).address] : [],
      ),
    )
  }

  /** Returns the request to send for an agent's request; or why it may not be sent, as a sentence. */
  check({ start, body }: AgentRequest): Outgoing | string {
    const given = typeof start.headers === 'function' ? start.headers() : start.headers
    const headers = given.filter(([name]) => !ofConnection.has(name.toLowerCase()))
    const host = hostOf(start.url).address
    if (!this.#hosts.has(host) && !isLiveHost(host, this.#options.allowHost)) {
      return `The recorded run never called ${host}. If the fork may, name it: allowHost: ['${host}'] (--allow-host ${host}).`
    }
    const key = headers.find(([, value]) => isStandInKey(value))?.[0] ?? (isStandInKey(start.url) ? 'URL' : undefined)
    if (key !== undefined) {
      return `The API key in its ${key} ${keyIsMissing}. Set the provider's key in the environment.`
    }
    return this.#withRealValues({ method: start.method, url: start.url, headers, body })
  }

  /** Replaces stand-ins by real values; or returns which are missing. */
  #withRealValues(sent: Outgoing): Outgoing | string {
    const { standIns } = this.#options
    if (standIns === 'send') return sent
    const values = standIns === 'refuse' ? {} : standIns
    const body = typeof sent.body === 'string' || sent.body === undefined ? sent.body : new TextDecoder().decode(sent.body)
    const found = [sent.url, body ?? '', ...sent.headers.map(([, value]) => value)].flatMap((text) =>
      this.#known.find(text).map(({ start, end }) => text.slice(start, end)),
    )
    const missing = [...new Set(found)].filter((name) => !Object.hasOwn(values, name))
    if (missing.length > 0) {
      const list = missing
        .slice(0, 3)
        .map((name) => JSON.stringify(name))
        .join(', ')
      const more = missing.length > 3 ? ` and ${missing.length - 3} more` : ''
      return `It would be sent with stand-ins of redacted values: ${list}${more}. Give the real values, standIns: { ${JSON.stringify(missing[0])}: '…' }, or allow stand-ins: standIns: 'send' (--send-stand-ins).`
    }
    if (found.length === 0) return sent
    const put = (text: string, write: (value: string) => string): string => {
      const valueOf = (name: string): string => write(values[name] ?? name)
      return applyEdits(
        text,
        this.#known.find(text).map(({ start, end }) => ({ start, end, text: valueOf(text.slice(start, end)) })),
      )
    }
    const inJson = (value: string): string => JSON.stringify(value).slice(1, -1)
    return {
      ...sent,
      url: put(sent.url, encodeURIComponent),
      headers: sent.headers.map(([name, value]) => [name, put(value, String)]),
      body: body === undefined ? undefined : put(body, isJson(body) ? inJson : String),
    }
  }
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text)
}
