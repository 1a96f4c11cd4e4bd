import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { CreateMessageRequestSchema, ElicitRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'

/** What a client says of itself. */
export const clientInfo = { name: 'support', version: '1.0.0' }
export const clientOptions = { capabilities: { sampling: {}, elicitation: {} } }

/** Calls a tool. */
export async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<unknown> {
  const { content, isError } = await client.callTool({ name, arguments: args })
  return [content, isError]
}

/** All that a client of MCP does. */
export async function everything(client: Client): Promise<unknown> {
  const seen: unknown[] = []
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
    seen.push(['asked', params.messages.length])
    return { model: 'small', role: 'assistant', content: { type: 'text', text: `time ${Date.now()}` } }
  })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    seen.push(['elicited', params.message])
    return { action: 'accept', content: { sure: true } }
  })
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void seen.push(['logged', params.data]))
  const tools = (await client.listTools()).tools.map(({ name }) => name)
  const resource = await client.readResource({ uri: 'shop://terms' })
  const progress: number[] = []
  const counted = await client.callTool({ name: 'count' }, undefined, { onprogress: (step) => void progress.push(step.progress) })
  const both = await Promise.all([
    call(client, 'get_order', { order_id: 'slow', wait: 60 }),
    call(client, 'get_order', { order_id: 'fast', wait: 1 }).then((order) => (seen.push('fast'), order)),
  ])
  const asked = await call(client, 'ask_model')
  const elicited = await call(client, 'ask_user')
  const failed = await call(client, 'fail').catch((error: unknown) => String(error))
  const unknown = await client
    .request({ method: 'no/such', params: {} }, ElicitRequestSchema as never)
    .catch((error: unknown) => String(error))
  return { tools, resource, progress, counted, both, asked, elicited, failed, unknown, seen }
}
