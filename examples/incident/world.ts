// node world.ts <command>: runs a command together with the agent's world, on loopback: a model that follows a script, and the shop.
import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

interface Message {
  readonly role: string
  readonly content: string
}

const refunds: { readonly id: string }[] = []

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  const reply = (json: unknown): void => void response.setHeader('content-type', 'application/json').end(JSON.stringify(json))
  const { pathname } = new URL(request.url ?? '/', 'http://shop')
  if (pathname === '/v1/chat/completions') return reply(complete((JSON.parse(text) as { messages: Message[] }).messages))
  if (pathname === '/search') return reply({ articles: [] })
  if (request.method === 'GET') return reply({ refunds })
  refunds.push({ id: `re_${refunds.length + 1}`, ...(JSON.parse(text) as object) })
  // The first refund is booked, and the connection breaks before the answer.
  if (refunds.length === 1) return void response.destroy()
  return reply(refunds.at(-1))
}

/** The model. It refunds if it is asked to, and otherwise searches until it is told to stop. */
function complete(messages: readonly Message[]): object {
  const [, ticket, ...later] = messages
  const isRefund = ticket?.content.includes('refund') === true
  const hasFailed = later.at(-1)?.content.startsWith('Error') === true
  const query = later.length % 4 === 0 ? 'desk lamp bulb' : 'which bulb fits a desk lamp'
  if (isRefund && later.length === 0) return ask('refund_order', { order_id: 'ord_1001', amount: 4900 })
  if (isRefund) return say(hasFailed ? 'I could not refund ord_1001.' : 'The $49.00 for ord_1001 are on their way back to your card.')
  return hasFailed ? say('I do not know which bulb fits. A colleague will write to you.') : ask('search_help', { query })
}

function say(content: string): object {
  return completion({ role: 'assistant', content }, 'stop')
}

function ask(name: string, args: object): object {
  const call = { id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } }
  return completion({ role: 'assistant', content: null, tool_calls: [call] }, 'tool_calls')
}

function completion(message: object, reason: string): object {
  const usage = { prompt_tokens: 200, completion_tokens: 20 }
  return { model: 'gpt-4.1-mini', choices: [{ index: 0, message, finish_reason: reason }], usage }
}

const server = createServer((request, response) => void answer(request, response))
server.listen(Number(process.env['SHOP_PORT'] ?? '4100'), '127.0.0.1', () => {
  const [command = '', ...args] = process.argv.slice(2)
  spawn(command, args, { stdio: 'inherit' }).once('close', (status) => {
    if (refunds.length > 0) console.log(`The shop booked ${refunds.map(({ id }) => id).join(' and ')}.`)
    process.exitCode = status ?? 1
    server.close()
    server.closeAllConnections()
  })
})
