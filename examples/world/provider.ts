import type { IncomingMessage, ServerResponse } from 'node:http'
import { anthropicMessages } from './anthropic-messages.ts'
import type { Exchange } from './exchange.ts'
import { isJsonObject, type JsonObject, parseJson } from './json.ts'
import { listen, type ListenOptions, type LocalServer } from './listen.ts'
import type { NormalRequest } from './normal-request.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import { playList } from './play-list.ts'
import { readBody } from './read-body.ts'
import { toReply } from './reply.ts'
import { sendError, sendTurn } from './send-turn.ts'
import { isFailure, type Script, type Turn } from './turn.ts'
import type { Wire } from './wire.ts'

/** What the scripted provider answers, and where it listens. */
export interface ProviderOptions extends ListenOptions {
  readonly script: Script
  /** Whether `exchanges` is kept; it holds every body, so a long benchmark does without. Default: true. */
  readonly keepExchanges?: boolean
}

/** A model provider on loopback. */
export interface Provider extends LocalServer {
  /** What the `openai` SDK takes as `baseURL`. */
  readonly openaiBaseUrl: string
  /** What `@anthropic-ai/sdk` takes as `baseURL`. */
  readonly anthropicBaseUrl: string
  /** Every request received so far, with what was sent for it, in order of arrival. */
  readonly exchanges: readonly Exchange[]
}

const WIRES: readonly Wire[] = [openaiChat, openaiResponses, anthropicMessages]

/**
 * Starts a model provider that answers by a script, over real HTTP: OpenAI chat completions, OpenAI responses and Anthropic messages, as
 * JSON or as server-sent events, whichever the request asks for. Ids are counted, so equal conversations get equal answers.
 *
 * A script that throws, or a list that is at its end, is answered with status 400 and the error's message.
 */
export async function startProvider({ script, port = 0, keepExchanges = true }: ProviderOptions): Promise<Provider> {
  const play = typeof script === 'function' ? script : playList(script)
  const exchanges: Exchange[] = []
  const answeredTurns = new Map<string, number>()
  let received = 0

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    received += 1
    const exchange = await toExchange(incoming, received)
    if (keepExchanges) exchanges.push(exchange)
    const wire = WIRES.find((known) => pathname(exchange.path).endsWith(known.path))
    const json = exchange.body
    if (exchange.method !== 'POST' || wire === undefined) {
      return sendError(openaiChat, 404, { message: `Unknown request URL: ${exchange.method} ${exchange.path}.` }, exchange, response)
    }
    if (!isJsonObject(json))
      return sendError(wire, 400, { message: 'We could not parse the JSON body of your request.' }, exchange, response)

    const request = toRequest(exchange, wire, json, answeredTurns)
    const turn = await playTurn(play, request)
    const reply = toReply(turn, request, wire.toolCallPrefix)
    if (!isFailure(turn)) answeredTurns.set(wire.answerId(reply), request.turn + 1)
    await sendTurn({ turn, reply, request, wire, exchange, response })
  }

  const server = await listen(answer, { port })
  return { ...server, openaiBaseUrl: `${server.url}/v1`, anthropicBaseUrl: server.url, exchanges }
}

async function toExchange(incoming: IncomingMessage, ordinal: number): Promise<Exchange> {
  const bytes = await readBody(incoming)
  return {
    ordinal,
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    bytes,
    body: parseJson(bytes),
    sent: [],
  }
}

function pathname(path: string): string {
  return path.split('?', 1)[0] ?? path
}

function toRequest(exchange: Exchange, wire: Wire, json: JsonObject, answeredTurns: ReadonlyMap<string, number>): NormalRequest {
  const conversation = wire.read(json)
  const before = conversation.continues === undefined ? 0 : (answeredTurns.get(conversation.continues) ?? 0)
  return {
    ...conversation,
    dialect: wire.dialect,
    ordinal: exchange.ordinal,
    turn: before + conversation.messages.filter((message) => message.role === 'assistant').length,
    retry: Number(exchange.headers['x-stainless-retry-count'] ?? 0),
    path: exchange.path,
    headers: exchange.headers,
    json,
  }
}

async function playTurn(play: (request: NormalRequest) => Turn | Promise<Turn>, request: NormalRequest): Promise<Turn> {
  try {
    return await play(request)
  } catch (error) {
    return { status: 400, error: { message: error instanceof Error ? error.message : String(error) } }
  }
}
