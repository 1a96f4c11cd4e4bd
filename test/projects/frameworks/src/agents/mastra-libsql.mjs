import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { LibSQLStore } from '@mastra/libsql'
import { Memory } from '@mastra/memory'
import { wrapClient, wrapTools } from 'goldenrun'
import { z } from 'zod'

const getOrder = createTool({
  id: 'get_order',
  description: 'Looks an order up.',
  inputSchema: z.object({ id: z.string() }),
  execute: async ({ id }) => ({ id, status: 'packed' }),
})

const cancelOrder = createTool({
  id: 'cancel_order',
  description: 'Cancels an order.',
  inputSchema: z.object({ id: z.string() }),
  execute: async ({ id }) => {
    const response = await fetch(`${process.env.SHOP_URL}/orders/${id}/cancel`, { method: 'POST' })
    return await response.json()
  },
})

const support = new Agent({
  id: 'support',
  name: 'support',
  instructions: 'You answer about orders.',
  model: { id: 'openai/gpt-4.1-mini', url: process.env.OPENAI_BASE_URL, apiKey: process.env.OPENAI_API_KEY },
  tools: { ...wrapTools({ get_order: getOrder }), cancel_order: cancelOrder },
  memory: new Memory({
    storage: wrapClient('storage', new LibSQLStore({ id: 'storage', url: 'file:memory.db' })),
    options: { lastMessages: 10 },
  }),
})

export async function agent({ question, thread }) {
  const memory = { thread, resource: 'ann' }
  const first = await support.generate(question, { memory })
  const second = await support.generate('Which one did I cancel?', { memory })
  return [first.text, second.text]
}
