import { remember } from '../../trace/remember.ts'
import { bytesOfBody } from '../../trace/body.ts'
import { isBelowUrl, isUrlName } from '../../trace/named-urls.ts'
import { type CallRow, FORMAT_VERSION, type HttpInput } from '../../trace/rows.ts'
import { headerValue } from '../headers.ts'
import { hostOf } from '../host-of.ts'
import { type JudgedRequest, judgeTelemetry, type Verdict } from './judge-telemetry.ts'
import { hostsMutedBeforeFormat3, isCollector, isHostOf, type NamedTelemetry } from './telemetry-hosts.ts'

/** Decides which requests are left out. */
export type Muting = (request: JudgedRequest) => Verdict

/**
 * Decides by what a project names, else by the requests of known products. A recording and its replays decide alike, because they ask the same of the
 * same request.
 *
 * @param named Hosts, subdomains included, and URLs. What is recorded wins over what is muted.
 * @param format The trace's. Before format 3, all requests to the hosts of known products were left out. Default: the current one.
 */
export function createMuting({ mute, record }: NamedTelemetry, format: number = FORMAT_VERSION): Muting {
  const ofProducts = format < 3 ? judgeByHost : judgeTelemetry
  const byName = remember((url: string): Verdict | 'unnamed' => {
    if (isNamed(url, record)) return 'recorded'
    return isNamed(url, mute) ? 'muted' : 'unnamed'
  })
  if (mute.length === 0 && record.length === 0) return ofProducts
  return (request) => {
    const named = byName(request.url)
    return named === 'unnamed' ? ofProducts(request) : named
  }
}

/** Returns whether a recorded call would be left out. */
export function isMutedCall({ boundary, input }: Pick<CallRow, 'boundary' | 'input'>, muting: Muting): boolean {
  if (boundary !== 'http' && boundary !== 'model') return false
  const { method, url, headers } = input as HttpInput
  const verdict = muting({ method, url, headers })
  // Few requests are judged by their bodies.
  if (verdict !== 'open') return verdict === 'muted'
  return muting({ method, url, headers, ready: { body: bytesOfBody(input as HttpInput) } }) === 'muted'
}

function isNamed(url: string, names: readonly string[]): boolean {
  return names.some((name) => (isUrlName(name) ? isBelowUrl(url, name) : isHostOf(url, [name])))
}

function judgeByHost({ url, headers }: JudgedRequest): Verdict {
  if (isHostOf(url, hostsMutedBeforeFormat3)) return 'muted'
  // Calls of grpc-js were also left out by OpenTelemetry's ports.
  const sent = typeof headers === 'function' ? headers() : headers
  return headerValue(sent, 'content-type') === grpcContentType && isCollector(hostOf(url).address) ? 'muted' : 'recorded'
}

/** Returns the request of a grpc-js call. @param address A host with its port, or the path of a socket. */
export function grpcRequest(address: string, method: string): JudgedRequest {
  const url = `https://${address}/${method.replace(/^\//, '')}`
  return { method: 'POST', url: URL.canParse(url) ? url : `https://localhost/${method}`, headers: grpcHeaders }
}

const grpcContentType = 'application/grpc'
const grpcHeaders = [['content-type', grpcContentType]] as const
