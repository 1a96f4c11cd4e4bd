import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** The model's answer in one turn. */
export interface ModelTurn {
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[]
}

/** A request that the agent's tools make. */
export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly body: unknown
  /** Counts requests with this method and path, from 1. */
  readonly nth: number
}

/** The world's answers while a run is recorded. */
export interface WorldScript {
  /** The model's turns, in order. */
  readonly model: readonly ModelTurn[]
  /** Returns an answer, or `hang up`: the connection is closed after the request was executed. */
  api(request: ApiRequest): object | 'hang up'
}

/** The world of a recorded run. It does not exist in a replay. */
export interface World {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Starts a provider and an API on one loopback port. */
export async function startWorld(script: WorldScript): Promise<World> {
  const counts = new Map<string, number>()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [method = '', path = ''] = [request.method, request.url]
    const body: unknown = method === 'POST' ? await json(request) : undefined
    if (path === '/v1/chat/completions') return send(response, completion(script, body as ChatRequest))
    const name = `${method} ${path.replace(/\?.*/, '')}`
    const nth = (counts.get(name) ?? 0) + 1
    counts.set(name, nth)
    const answered = script.api({ method, path, body, nth })
    if (answered === 'hang up') request.socket.destroy()
    else send(response, answered)
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface ChatRequest {
  readonly model: string
  readonly messages: readonly { readonly role: string }[]
}

function completion({ model }: WorldScript, { model: name, messages }: ChatRequest): object {
  const turn = messages.filter(({ role }) => role === 'assistant').length
  const { text = null, calls = [] } = model[turn] ?? { text: 'I have nothing to add.' }
  const toolCalls = calls.map(({ name: called, args }, index) => ({
    id: `call_${turn}_${index}`,
    type: 'function',
    function: { name: called, arguments: JSON.stringify(args) },
  }))
  return {
    id: `chatcmpl-${turn}`,
    object: 'chat.completion',
    created: 1_790_000_000,
    model: name,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) },
        finish_reason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: 50, completion_tokens: 10, total_tokens: 60 },
  }
}

function send(response: ServerResponse, answer: object): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(answer))
}
