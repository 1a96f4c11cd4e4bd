import { openAI } from '@genkit-ai/compat-oai/openai'
import { genkit, z } from 'genkit'
import { tool as toStep } from 'goldenrun'

const ai = genkit({ plugins: [openAI()], model: openAI.model('gpt-4.1-mini') })

const getOrder = ai.defineTool(
  { name: 'get_order', description: 'Looks an order up.', inputSchema: z.object({ id: z.string() }) },
  toStep('get_order', { effect: 'read' }, ({ id }) => `${id} is packed`),
)

const cancelOrder = ai.defineTool(
  { name: 'cancel_order', description: 'Cancels an order.', inputSchema: z.object({ id: z.string() }) },
  async ({ id }) => {
    const response = await fetch(`${process.env.SHOP_URL}/orders/${id}/cancel`, { method: 'POST' })
    return await response.text()
  },
)

export async function agent({ question }) {
  const { text } = await ai.generate({ system: 'You answer about orders.', prompt: question, tools: [getOrder, cancelOrder] })
  return text
}
