import { DynamicStructuredTool } from '@langchain/core/tools'
import { Annotation, END, Send, START, StateGraph } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { z } from 'zod'
import { wrapTools } from '../../../src/run/wrap-tools.ts'
import { asAsked, type FrameworkAgent, lookUp } from './framework-agent.ts'

const State = Annotation.Root({
  question: Annotation<string>,
  ids: Annotation<string[]>,
  id: Annotation<string>,
  found: Annotation<string[]>({ reducer: (before, more) => [...before, ...more], default: () => [] }),
})

/** A graph that looks several orders up at once, with a tool made with `func`, called by the graph's own nodes. */
export const agent: FrameworkAgent = async ({ question, model }, { spell = asAsked } = {}) => {
  const llm = new ChatOpenAI({ model: 'gpt-4.1-mini', apiKey: 'sk-local', configuration: { baseURL: model } })
  const { getOrder } = wrapTools({
    getOrder: new DynamicStructuredTool({
      name: 'get_order',
      description: 'Looks an order up.',
      schema: z.object({ id: z.string() }),
      func: async ({ id }, _manager, config) => JSON.stringify({ ...lookUp(id), thread: config?.configurable?.['thread_id'] }),
    }),
  })
  const graph = new StateGraph(State)
    .addNode('plan', async ({ question: asked }) => {
      const { tool_calls: calls = [] } = await llm.bindTools([getOrder]).invoke(asked)
      return { ids: calls.map(({ args }) => String(args['id'])) }
    })
    .addNode('look', async ({ id }, config) => ({ found: [await getOrder.invoke({ id: spell(id) }, config)] }))
    .addEdge(START, 'plan')
    .addConditionalEdges('plan', ({ ids }) => ids.map((id) => new Send('look', { id })))
    .addEdge('look', END)
    .compile()
  return (await graph.invoke({ question }, { configurable: { thread_id: 'thread_1' } })).found
}
