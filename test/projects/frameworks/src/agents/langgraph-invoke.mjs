import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { wrapTools } from 'goldenrun'
import { z } from 'zod'

const getOrder = tool(({ id }) => `${id} is packed`, {
  name: 'get_order',
  description: 'Looks an order up.',
  schema: z.object({ id: z.string() }),
})

const cancelOrder = tool(
  async ({ id }) => {
    const response = await fetch(`${process.env.SHOP_URL}/orders/${id}/cancel`, { method: 'POST' })
    return await response.text()
  },
  { name: 'cancel_order', description: 'Cancels an order.', schema: z.object({ id: z.string() }) },
)

const graph = createReactAgent({
  llm: new ChatOpenAI({ model: 'gpt-4.1-mini' }),
  tools: [...wrapTools([getOrder]), cancelOrder],
  prompt: 'You answer about orders.',
})

export async function agent({ question }) {
  const { messages } = await graph.invoke({ messages: [{ role: 'user', content: question }] })
  return messages.map(({ content }) => content)
}
