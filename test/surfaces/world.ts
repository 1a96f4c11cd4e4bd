import { listen, type LocalServer } from '../../examples/world/listen.ts'
import type { NormalRequest } from '../../examples/world/normal-request.ts'
import { type Provider, startProvider } from '../../examples/world/provider.ts'
import type { Turn } from '../../examples/world/turn.ts'

/** What the agents call while they are recorded. */
export interface World extends AsyncDisposable {
  readonly model: string
  readonly shop: string
}

/** Starts a model provider and a service that repeats what it is sent, both on loopback. */
export async function startWorld(): Promise<World> {
  const provider: Provider = await startProvider({ script: turnFor })
  const tries = new Map<string, number>()
  const shop: LocalServer = await listen(async (request, response) => {
    const body = (await Array.fromAsync(request)).join('')
    const path = request.url ?? ''
    const tried = (tries.get(path) ?? 0) + 1
    tries.set(path, tried)
    response.statusCode = path.endsWith('/fails-once') && tried === 1 ? 503 : 200
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ path, said: body === '' ? '' : JSON.parse(body) }))
  })
  return {
    model: provider.url,
    shop: shop.url,
    async [Symbol.asyncDispose]() {
      await provider.close()
      await shop.close()
    },
  }
}

/**
 * What the model answers: it calls each tool that the system prompt or a message names in brackets, `[get_order {"id":"ord_1"}]`, once and one after
 * another, as far as the request offers it. Then it repeats the last message.
 */
function turnFor({ system, messages, tools }: NormalRequest): Turn {
  const said = [...system, ...messages.filter(({ role }) => role === 'user').map(({ text }) => text)].join('\n')
  const called = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ name }) => name))
  const offered = tools.map(({ name }) => name)
  for (const [, name = '', args = ''] of said.matchAll(/\[(\w+) (\{.*?\})\]/g))
    if (offered.includes(name) && !called.includes(name)) return { toolCalls: [{ name, args: JSON.parse(args) }] }
  return { text: `Yes: ${messages.at(-1)?.text.slice(0, 60) ?? ''}` }
}

/** A client of a package, which calls through a queue, as most clients do: V8 does not see the agent's line across it. */
export const shopClient = `export const createClient = (url) => {
  const send = (path, init) => new Promise((resolve, reject) => {
    const go = () => fetch(url + path, init).then(async (response) => ({ status: response.status, ...(await response.json()) }))
    void Promise.resolve().then(() => go().then(resolve, reject))
  })
  const headers = { 'content-type': 'application/json' }
  return { get: (path) => send(path), post: (path, body) => send(path, { method: 'POST', headers, body: JSON.stringify(body) }) }
}
`
