import { tool } from '@langchain/core/tools'
import { Annotation, END, Send, START, StateGraph } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { wrapTools } from 'goldenrun'
import { z } from 'zod'

const tools = wrapTools({
  getOrder: tool(({ id }) => `${id} is packed`, {
    name: 'get_order',
    description: 'Looks an order up.',
    schema: z.object({ id: z.string() }),
  }),
})

const State = Annotation.Root({
  question: Annotation(),
  ids: Annotation(),
  id: Annotation(),
  done: Annotation({ reducer: (before, more) => [...before, ...more], default: () => [] }),
})

const llm = new ChatOpenAI({ model: 'gpt-4.1-mini' }).bindTools([tools.getOrder])

const graph = new StateGraph(State)
  .addNode('plan', async ({ question }) => {
    const { tool_calls } = await llm.invoke([
      { role: 'system', content: 'You answer about orders.' },
      { role: 'user', content: question },
    ])
    return { ids: tool_calls.map(({ args }) => args.id) }
  })
  .addNode('cancel', async ({ id }) => {
    const found = await tools.getOrder.invoke({ id })
    const response = await fetch(`${process.env.SHOP_URL}/orders/${id}/cancel`, { method: 'POST' })
    return { done: [found, await response.text()] }
  })
  .addEdge(START, 'plan')
  .addConditionalEdges('plan', ({ ids }) => ids.map((id) => new Send('cancel', { id })))
  .addEdge('cancel', END)
  .compile()

export async function agent({ question }) {
  const { done } = await graph.invoke({ question })
  return done
}
