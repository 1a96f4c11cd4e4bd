import { openai } from '@ai-sdk/openai'
import { tool, ToolLoopAgent } from 'ai-7'
import { wrapTools } from 'goldenrun'
import { z } from 'zod'

const getOrder = tool({
  description: 'Looks an order up.',
  inputSchema: z.object({ id: z.string() }),
  execute: ({ id }) => ({ id, status: 'packed' }),
})

const cancelOrder = tool({
  description: 'Cancels an order.',
  inputSchema: z.object({ id: z.string() }),
  execute: async ({ id }) => {
    const response = await fetch(`${process.env.SHOP_URL}/orders/${id}/cancel`, { method: 'POST' })
    return await response.json()
  },
})

const support = new ToolLoopAgent({
  model: openai.chat('gpt-4.1-mini'),
  instructions: 'You answer about orders.',
  tools: { ...wrapTools({ get_order: getOrder }), cancel_order: cancelOrder },
})

export async function agent({ question }) {
  const { text } = await support.generate({ prompt: question })
  return text
}
