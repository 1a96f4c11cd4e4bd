import { Agent, run, setOpenAIAPI, setTracingDisabled, tool } from '@openai/agents'
import { wrapTools } from 'goldenrun'
import { z } from 'zod'

setOpenAIAPI('chat_completions')
setTracingDisabled(true)

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

const orders = new Agent({
  name: 'orders',
  model: 'gpt-4.1-mini',
  instructions: 'You answer about orders.',
  tools: [...wrapTools([getOrder]), cancelOrder],
})
const support = new Agent({ name: 'support', model: 'gpt-4.1-mini', instructions: 'You hand over.', handoffs: [orders] })

export async function agent({ question }) {
  const { finalOutput, lastAgent } = await run(support, question)
  return { finalOutput, lastAgent: lastAgent.name }
}
