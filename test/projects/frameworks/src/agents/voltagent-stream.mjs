import { openai } from '@ai-sdk/openai-3'
import { Agent, createTool } from '@voltagent/core'
import { wrapTools } from 'goldenrun'
import { z } from 'zod'

const getOrder = createTool({
  name: 'get_order',
  description: 'Looks an order up.',
  parameters: z.object({ id: z.string() }),
  execute: async ({ id }) => ({ id, status: 'packed' }),
})

const cancelOrder = createTool({
  name: 'cancel_order',
  description: 'Cancels an order.',
  parameters: z.object({ id: z.string() }),
  execute: async ({ id }) => {
    const response = await fetch(`${process.env.SHOP_URL}/orders/${id}/cancel`, { method: 'POST' })
    return await response.json()
  },
})

const support = new Agent({
  name: 'support',
  instructions: 'You answer about orders.',
  model: openai.chat('gpt-4.1-mini'),
  tools: [...wrapTools([getOrder]), cancelOrder],
})

export async function agent({ question }) {
  const { textStream } = await support.streamText(question)
  let text = ''
  for await (const piece of textStream) text += piece
  return text
}
