import { headerValue } from '../../http/headers.ts'
import { decodedOrAsIs } from '../../models/url-path.ts'
import type { EndedRpc } from '../../run/processes.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { fromRecordedPairs, stepNameOf, toRecordedPairs } from './grpc-call.ts'

const [statusName, detailsName] = ['grpc-status', 'grpc-message']

/** Returns the step's name for a call over HTTP/2. A proxy may have the service below its own path. */
export function rpcName(url: string): string {
  return stepNameOf(new URL(url).pathname.split('/').slice(-2).join('/'))
}

/** The input of a call that was abandoned before its first message was sent. */
export const unsent = { unsent: true } as const

/** Returns whether a request is a gRPC call. Calls of gRPC-Web have different frames. */
export function isRpc(method: string, headers: HeaderPairs): boolean {
  return method === 'POST' && /^application\/grpc(?:[+;]|$)/i.test(headerValue(headers, 'content-type') ?? '')
}

/** Returns the client's metadata as a trace has it, without what the protocol itself requires. */
export function requestMetadata(headers: HeaderPairs): HeaderPairs {
  return toRecordedPairs(headers.filter(([name]) => !/^(?:te|user-agent|content-type|grpc-.*)$/.test(name)))
}

/** Reads from the headers how a call ended; returns undefined if they do not say. Source: grpc.io, PROTOCOL-HTTP2, Responses. */
export function readStatus(headers: HeaderPairs): EndedRpc | undefined {
  const code = headerValue(headers, statusName)
  if (code === undefined) return undefined
  const details = decodedOrAsIs(headerValue(headers, detailsName) ?? '')
  const metadata = toRecordedPairs(headers.filter(([name]) => name !== statusName && name !== detailsName))
  return { code: Number(code), ...(details === '' ? {} : { details }), ...(metadata.length === 0 ? {} : { metadata }) }
}

export function writeStatus({ code, details = '', metadata = [] }: EndedRpc): HeaderPairs {
  const message: HeaderPairs = details === '' ? [] : [[detailsName, encodeDetails(details)]]
  return [...fromRecordedPairs(metadata), [statusName, String(code)], ...message]
}

/** Encodes everything except printable ASCII. */
function encodeDetails(text: string): string {
  return text.replaceAll(/[^ -$&-~]+/g, encodeURIComponent)
}
