import { hostOf } from '../http/host-of.ts'
import { isLiveHost } from '../http/live-hosts.ts'
import { findStandIns, standInText } from '../redaction/stand-in.ts'
import type { HttpDelivery } from '../replay/answers/http-delivery.ts'
import type { ReplayCall } from '../replay/calls/replay-call.ts'
import type { Stage } from '../replay/judge/beyond.ts'
import { runOutside } from '../run/scope.ts'
import { realTimers } from '../node/real-timers.ts'
import type { HeaderPairs, HttpInput } from '../trace/rows.ts'
import type { Trace } from '../trace/trace.ts'
import { isStandInKey } from '../config/stand-in-keys.ts'
import { LiveAnswer } from './live-answer.ts'

/** What live requests are allowed. */
export interface LiveOptions {
  /** Hosts in addition to the recorded ones, with or without a port. */
  readonly allowHost: readonly string[]
  /** Real values for stand-ins in what is sent, or `send` to send stand-ins as they are. */
  readonly standIns: 'refuse' | 'send' | Readonly<Record<string, string>>
}

/** A request that goes out. */
interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: HeaderPairs
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

/** Makes the requests of a fork that go live, with the agent's URL, headers and body. */
export class LiveRequests {
  readonly #options: LiveOptions
  readonly #hosts: ReadonlySet<string>

  constructor(trace: Trace, options: LiveOptions) {
    this.#options = options
    this.#hosts = new Set(
      trace.steps.flatMap(({ boundary, input }) =>
        boundary === 'model' || boundary === 'http' ? [hostOf((input as HttpInput).url).address] : [],
      ),
    )
  }

  /** Sends a call. Returns why it may not be sent, as a sentence. */
  send(call: ReplayCall, delivery: HttpDelivery, stage: Stage): string | undefined {
    const { start, body } = delivery
    const headers = typeof start.headers === 'function' ? start.headers() : start.headers
    const host = hostOf(start.url).address
    if (!this.#hosts.has(host) && !isLiveHost(host, this.#options.allowHost)) {
      return `The recorded run never called ${host}. If the fork may, name it: allowHost: ['${host}'].`
    }
    const key = headers.find(([, value]) => isStandInKey(value))?.[0] ?? (isStandInKey(start.url) ? 'its URL' : undefined)
    if (key !== undefined) {
      return `It would be sent with the stand-in for an API key, in ${key}. Set the provider's key in the environment of the fork.`
    }
    const sent = this.#withRealValues({ method: start.method, url: start.url, headers, body })
    if (typeof sent === 'string') return sent
    void this.#exchange(sent, call, delivery, stage)
    return undefined
  }

  async #exchange({ method, url, headers, body }: Sent, call: ReplayCall, delivery: HttpDelivery, stage: Stage): Promise<void> {
    const controller = new AbortController()
    delivery.onStop = () => controller.abort()
    const release = stage.busy()
    const since = realTimers.now()
    const answer = new LiveAnswer(call, delivery, stage.redaction)
    const arrive = (part: Parameters<LiveAnswer['take']>[0]): void => {
      stage.takeUntil(call.at + realTimers.now() - since)
      answer.take(part)
    }
    const kept = headers.filter(([name]) => !ofConnection.has(name)).map(([name, value]): [string, string] => [name, value])
    const init = { method, headers: kept, redirect: 'manual', signal: controller.signal } as const
    try {
      const response = await runOutside(() => fetch(url, body === undefined ? init : { ...init, body: body as BodyInit }))
      arrive({ kind: 'head', status: response.status, headers: [...response.headers] })
      if (response.body !== null) for await (const bytes of response.body) arrive({ kind: 'data', bytes })
      arrive({ kind: 'end' })
    } catch (error) {
      if (!controller.signal.aborted)
        arrive({ kind: 'fail', error: error instanceof TypeError && error.cause !== undefined ? error.cause : error })
    } finally {
      release()
    }
  }

  /** Puts real values in the place of stand-ins, or says which are missing. */
  #withRealValues(sent: Sent): Sent | string {
    const { standIns } = this.#options
    if (standIns === 'send') return sent
    const values = standIns === 'refuse' ? {} : standIns
    const body = typeof sent.body === 'string' || sent.body === undefined ? sent.body : new TextDecoder().decode(sent.body)
    const found = [sent.url, body ?? '', ...sent.headers.map(([, value]) => value)].flatMap((text) =>
      findStandIns(text).map((one) => standInText(text, one)),
    )
    const missing = [...new Set(found)].filter((name) => !Object.hasOwn(values, name))
    if (missing.length > 0) {
      const list = missing
        .slice(0, 3)
        .map((name) => JSON.stringify(name))
        .join(', ')
      const more = missing.length > 3 ? ` and ${missing.length - 3} more` : ''
      return `It would be sent with stand-ins of redacted values: ${list}${more}. Give the real values, standIns: { ${JSON.stringify(missing[0])}: '…' }, or allow stand-ins: standIns: 'send'.`
    }
    if (found.length === 0) return sent
    const put = (text: string, write: (value: string) => string): string =>
      [...new Set(found)].reduce((written, name) => written.replaceAll(name, write(values[name] ?? name)), text)
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
