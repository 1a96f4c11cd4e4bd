import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../../examples/world/listen.ts'
import { readBody } from '../../../examples/world/read-body.ts'
import { seenHeaders } from './account-service.ts'
import { World } from './world.ts'
import { toMessage } from './anthropic-message.ts'
import { sendChatCompletion } from './chat-completion.ts'
import type { Script } from './script.ts'

/** Concurrent requests may arrive in any order, so this header identifies each. */
const CALL_HEADER = 'x-world-call'

/** A request of Node's fetch, as its diagnostics channel reports it. */
interface Outgoing {
  readonly path: string
  readonly method: string
  addHeader(name: string, value: string): void
}

/** One loopback server with a world for each run. */
export interface WorldServer extends AsyncDisposable {
  open(script: Script): World
  /** Releases a world that is no longer used: its log may be large. */
  close(world: World): void
}

/** Matches the address of a run's world: `/w7/refunds`. */
const OF_WORLD = /^\/w(\d+)(\/[^?]*)(?:\?(.*))?$/

/** Starts the server of the models and services of all worlds. */
export async function startWorldServer(): Promise<WorldServer> {
  const worlds = new Map<string, World>()
  /** Called when a request fails. */
  const failing = new WeakMap<object, () => void>()
  let opened = 0

  /** Logs a request when it is made. */
  function onCreate(message: unknown): void {
    const { request } = message as { request: Outgoing }
    const [, id = '', path = ''] = OF_WORLD.exec(request.path) ?? []
    const log = worlds.get(id)?.log
    if (log === undefined) return
    const index = log.open(nameOf(request.method, path))
    failing.set(request, () => log.settle(index, true))
    request.addHeader(CALL_HEADER, String(index))
  }

  function onError(message: unknown): void {
    failing.get((message as { request: object }).request)?.()
  }

  const server = await listen((incoming, response) => answer(worlds, incoming, response))
  subscribe('undici:request:create', onCreate)
  subscribe('undici:request:error', onError)
  return {
    open(script) {
      opened += 1
      const world = new World(String(opened), server.url, script)
      worlds.set(world.id, world)
      return world
    },
    close: (world) => void worlds.delete(world.id),
    async [Symbol.asyncDispose]() {
      unsubscribe('undici:request:create', onCreate)
      unsubscribe('undici:request:error', onError)
      await server.close()
    },
  }
}

/** Returns the name of a request. A model is called `model`, whichever provider's address it has. */
function nameOf(method: string, path: string): string {
  return /\/(?:chat\/completions|messages)$/.test(path) ? 'model' : `${method} ${path}`
}

async function answer(worlds: ReadonlyMap<string, World>, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, id, path = '', query = ''] = OF_WORLD.exec(incoming.url ?? '') ?? []
  // A request through a proxy that drops the path belongs to the world that was opened last.
  const world = id === undefined ? [...worlds.values()].at(-1) : worlds.get(id)
  if (world === undefined) return void response.destroy()
  const name = nameOf(incoming.method ?? '', path || (incoming.url ?? ''))
  const { [CALL_HEADER]: mark, 'idempotency-key': key } = incoming.headers
  const index = mark === undefined ? world.log.open(name) : Number(mark)
  const body = toBody(await readBody(incoming))
  const input = name === 'model' ? body : { query: [...new URLSearchParams(query)], key, body }
  world.log.receive(index, input, seenHeaders(incoming.headers))
  response.once('finish', () => world.log.settle(index))
  response.once('close', () => world.log.settle(index, !response.writableFinished))
  const { value, turn, fails, status = fails === undefined ? 200 : 500, ms = 8 } = world.say(name, input)
  await sleep(ms)
  if (response.destroyed) return
  response.statusCode = status
  const request = body as Readonly<Record<string, unknown>>
  if (turn !== undefined && !path.endsWith('/messages')) return sendChatCompletion(turn, request, response)
  response.setHeader('content-type', 'application/json')
  if (turn !== undefined) return void response.end(JSON.stringify(toMessage(turn, request['model'])))
  response.end(JSON.stringify(fails === undefined ? value : { error: { message: fails } }))
}

function toBody(bytes: Buffer): unknown {
  const text = bytes.toString()
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
