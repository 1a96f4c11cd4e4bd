import { tool } from '@langchain/core/tools'
import { MemorySaver } from '@langchain/langgraph'
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

export async function agent({ question }) {
  // A saver of the module would keep the conversation of one run for the next.
  const graph = createReactAgent({
    llm: new ChatOpenAI({ model: 'gpt-4.1-mini' }),
    tools: [...wrapTools([getOrder]), cancelOrder],
    prompt: 'You answer about orders.',
    checkpointSaver: new MemorySaver(),
  })
  const answers = []
  for (const content of [question, 'Which one did I cancel?']) {
    let text = ''
    const options = { configurable: { thread_id: 'thread_1' }, streamMode: 'messages' }
    const stream = await graph.stream({ messages: [{ role: 'user', content }] }, options)
    for await (const [message] of stream) if (message.getType() === 'ai') text += message.content
    answers.push(text)
  }
  return answers
}
