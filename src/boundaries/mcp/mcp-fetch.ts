import { closeByteStream, createByteStream } from '../../node/byte-stream.ts'
import { hostOf } from '../../http/host-of.ts'
import { opensSession } from '../../models/mcp.ts'
import { knownOrMade } from '../../trace/remember.ts'
import { processWide } from '../../node/process-wide.ts'
import { answeredScope, currentScope, recordedScope, runBelow, scopeBelow } from '../../run/scope.ts'
import { knownPreambles, type Preamble } from '../../run/sessions.ts'
import { isGuardedHere } from '../contact/guards.ts'
import { withoutLeftOut } from '../../http/left-out-headers.ts'
import { framedHeaders } from '../../http/received-headers.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { createFetchedResponse } from '../http/fetched-response.ts'
import { McpResponses } from './mcp-responses.ts'
import { type FetchMessage, readFetchMessage } from './fetch-message.ts'
import { HttpFailure } from './http-failure.ts'
import { Lines, parseMessage } from './mcp-session.ts'
import { RecordedSession } from './recorded-session.ts'

type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>

// A client created by one copy of the package may be used through another.
const { recorded, answered } = processWide('mcp-servers', () => ({
  recorded: new Map<string, RecordedSession>(),
  answered: new Map<string, McpResponses>(),
}))

/** The number of servers whose sessions are kept. A program may have an address for each of its users. */
const mostServers = 1_000

/** Handles a fetch call that sends a message to an MCP server or waits for the server's messages; returns undefined for any other call. */
export function fetchMcp(fetch: Fetch, input: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> | undefined {
  const call = readFetchMessage(input, init)
  if (call === undefined || scopeBelow() !== undefined) return undefined
  const { url } = call
  const open: Preamble['open'] = { name: 'mcp', input: { url } }
  const answer = (preambles: readonly Preamble[]): Promise<Response> =>
    knownOrMade(answered, url, () => new McpResponses(open, hostOf(url).host)).send(call, init?.signal, preambles)
  const replayed = answeredScope()
  if (replayed !== undefined) {
    const { run } = replayed
    return run.live.includes(hostOf(url).address) ? undefined : answer(run.sessions.preamblesOf(open))
  }
  if (currentScope() === undefined && isGuardedHere()) {
    const preambles = knownPreambles(open)
    return preambles.length === 0 ? undefined : answer(preambles)
  }
  return record(call, open, init?.signal, () => fetch(input, init))
}

function record(
  call: FetchMessage,
  open: Preamble['open'],
  signal: AbortSignal | null | undefined,
  fetch: () => Promise<Response>,
): Promise<Response> | undefined {
  const scope = recordedScope()
  const session = recorded.get(call.url) ?? startSession(call, open)
  if (session === undefined) return undefined
  // Clients number their calls, and a server has several clients, so the ids are not unique.
  const key = {}
  if (call.kind === 'message') session.sends(call.message, key)
  const sent = scope === undefined ? fetch() : runBelow(scope, { captured: true }, fetch)
  const fails = (error: unknown): void => {
    // The agent ended the call itself, even if its client reacts later.
    if (signal?.aborted === true) session.leaves(key)
    else session.fails(key, error)
  }
  return sent.then(
    async (response) => {
      const sessionId = response.headers.get('mcp-session-id')
      return await hear({ session, key, fails, ...(sessionId !== null && { sessionId }) }, response)
    },
    (error: unknown) => {
      fails(error)
      throw error
    },
  )
}

/** Outside of every run, only a message that opens a session reveals one. */
function startSession(call: FetchMessage, open: Preamble['open']): RecordedSession | undefined {
  if (call.kind !== 'message' || (recordedScope() === undefined && !opensSession(call.message))) return undefined
  const session = new RecordedSession(open, hostOf(call.url).host, undefined, { says: () => undefined })
  recorded.set(call.url, session)
  const [oldest] = recorded.keys()
  if (recorded.size > mostServers && oldest !== undefined) recorded.delete(oldest)
  return session
}

/** A request whose answer is recorded. */
interface HeardRequest {
  readonly session: RecordedSession
  readonly key: object
  readonly fails: (error: unknown) => void
  /** The id of the session that the answer opens. */
  readonly sessionId?: string
}

/** Passes the answer to the agent after recording it. */
async function hear(request: HeardRequest, response: Response): Promise<Response> {
  const { status, statusText, headers, url, redirected } = response
  const made = (body: BodyInit | null): Response => createFetchedResponse(body, { status, statusText, headers }, { url, redirected })
  const type = headers.get('content-type') ?? ''
  if (response.ok && type.startsWith('text/event-stream') && response.body !== null) return made(hearEvents(request, response.body))
  if (status === 202 || (response.ok && !type.includes('json'))) return response
  const text = await response.text()
  if (response.ok) hearLine(request, text)
  else request.fails(new HttpFailure({ status, statusText, contentType: type, headers: headersOf(headers), body: text }))
  return made(text)
}

/** Returns the headers of an answer whose body is kept as text. */
function headersOf(headers: Headers): HeaderPairs {
  return withoutLeftOut({ headers: framedHeaders([...headers]) }).headers.filter(([name]) => !name.startsWith('content-'))
}

function hearLine({ session, key, sessionId }: HeardRequest, line: string): void {
  const message = parseMessage(line)
  if (message !== undefined) session.hears(message, key, sessionId)
}

function hearEvents(request: HeardRequest, body: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array> {
  const events = new EventData((data) => hearLine(request, data))
  const reader = body.getReader()
  return createByteStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) return closeByteStream(controller)
        events.add(value)
        controller.enqueue(value)
      } catch (error) {
        request.fails(error)
        controller.error(error)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/**
 * Reads the data of server-sent events, the only field that an MCP client reads. Production loads this instead of the parser that reads the
 * streams of recordings. Source: HTML standard, "server-sent events".
 */
class EventData {
  readonly #lines = new Lines()
  readonly #tell: (data: string) => void
  #data: string[] = []

  constructor(tell: (data: string) => void) {
    this.#tell = tell
  }

  add(bytes: Uint8Array): void {
    for (const line of this.#lines.add(bytes)) this.#addLine(line.endsWith('\r') ? line.slice(0, -1) : line)
  }

  #addLine(line: string): void {
    if (line.startsWith('data:')) this.#data.push(line.slice(line.startsWith('data: ') ? 'data: '.length : 'data:'.length))
    else if (line === '' && this.#data.length > 0) this.#tell(this.#data.splice(0).join('\n'))
  }
}
