import { askingHeaders, listedHeaders } from '../http/request-headers.ts'
import { type SentCredential, takeHeaderCredentials, takeUrlCredentials } from '../http/sent-credentials.ts'
import type { HeaderPairs } from '../trace/http-facts.ts'

/** A child process as an agent starts it, or a gRPC call, whose messages arrive in the same way. */
export interface ProcessStart {
  /** The step in whose body it was started; 0 for the run itself. */
  readonly owner: number
  /** The name, with the program: `process git`. */
  readonly name: string
  /** Arguments or the shell's command, the working directory, and the variables that differ from the agent's own. */
  readonly input: unknown
  /** The time limit in milliseconds, where the client keeps one. */
  readonly limit?: number | undefined
  /** For a gRPC call: its metadata. What says what it asks for belongs to the input. */
  readonly metadata?: HeaderPairs
  /** For a WebSocket: the headers of its handshake, in the same way. */
  readonly headers?: HeaderPairs
}

/** Which headers a trace has: all but those of a table, or in formats 1 and 2 a few. */
export interface AskedBy {
  readonly format: number
  /** More names, in lower case. */
  readonly named?: readonly string[] | undefined
}

/** The headers of a call that say what it asks for. */
export function askedHeaders(headers: HeaderPairs, { format, named }: AskedBy): HeaderPairs {
  return format < 3 ? listedHeaders(headers, named) : askingHeaders(headers, named)
}

/** How a child process ended. */
export interface EndedProcess {
  readonly code: number | null
  readonly signal: string | null
  /** Set if Node ended it, for example at a time limit. */
  readonly killed?: true
}

/** How a gRPC call ended: its status and its trailers. */
export interface EndedRpc {
  readonly code: number
  readonly details?: string
  readonly metadata?: HeaderPairs
}

/** Passes the events of a recorded child process to the agent. */
export interface ProcessSink {
  /** The process is known to be a recorded one. */
  start?(): void
  /** @param stream The stream, as in a `chunk` row; undefined for standard output. */
  output(stream: string | undefined, bytes: Uint8Array): void
  /** The process has ended, and all of its output is known. */
  close(ended: EndedProcess): void
  /** The process could not be started. */
  fail(error: unknown): void
  /** Delivers an answer that the trace does not have and that is not a process's output. */
  answer?(value: unknown): void
}

/** A child process that is being recorded. */
export interface CapturedProcess extends Pick<ProcessSink, 'output' | 'fail'> {
  close(ended: EndedProcess | EndedRpc): void
  /** The connection of a gRPC call is lost. */
  breaks(error: unknown): void
  /** The process is the server of a session, which belongs to this process rather than to the run: nothing more is recorded here. */
  opensSession(): void
}

/** The input of a step, and in whose name it is made. */
export interface AskedInput {
  readonly input: unknown
  readonly credentials: readonly SentCredential[]
}

/** Returns the input of a step, with the metadata or the headers that say what it asks for. */
export function askedInput({ input, metadata = [], headers = [] }: ProcessStart, by: AskedBy): AskedInput {
  const ofCall = askedHeaders(metadata, by).filter(([name]) => name !== 'content-type')
  const ofHandshake = askedHeaders(headers, by).filter(([name]) => !name.startsWith('sec-websocket-'))
  const fromUrl = takenFromUrl(input)
  if (ofCall.length === 0 && ofHandshake.length === 0) return fromUrl
  const [called, opened] = [takeHeaderCredentials(ofCall), takeHeaderCredentials(ofHandshake)]
  return {
    input: {
      ...(fromUrl.input as object),
      ...(called.asked.length === 0 ? {} : { metadata: called.asked }),
      ...(opened.asked.length === 0 ? {} : { headers: Object.fromEntries(opened.asked) }),
    },
    credentials: [...fromUrl.credentials, ...called.credentials, ...opened.credentials],
  }
}

/** The address of a WebSocket may have a key in its query. */
function takenFromUrl(input: unknown): AskedInput {
  const { url } = (input ?? {}) as { readonly url?: unknown }
  if (typeof url !== 'string' || !url.includes('?')) return { input, credentials: [] }
  const { asked, credentials } = takeUrlCredentials(url)
  return { input: credentials.length === 0 ? input : { ...(input as object), url: asked }, credentials }
}
