import { OpenAI } from '@llamaindex/openai'
import { agent as createAgent } from '@llamaindex/workflow'
import { wrapTools } from 'goldenrun'
import { tool } from 'llamaindex'
import { z } from 'zod'

const getOrder = tool({
  name: 'get_order',
  description: 'Looks an order up.',
  parameters: z.object({ id: z.string() }),
  execute: ({ id }) => `${id} is packed`,
})

const cancelOrder = tool({
  name: 'cancel_order',
  description: 'Cancels an order.',
  parameters: z.object({ id: z.string() }),
  execute: async ({ id }) => {
    const response = await fetch(`${process.env.SHOP_URL}/orders/${id}/cancel`, { method: 'POST' })
    return await response.text()
  },
})

const support = createAgent({
  name: 'support',
  llm: new OpenAI({ model: 'gpt-4.1-mini' }),
  systemPrompt: 'You answer about orders.',
  tools: [...wrapTools([getOrder]), cancelOrder],
})

export async function agent({ question }) {
  const { data } = await support.run(question)
  return data.result
}
