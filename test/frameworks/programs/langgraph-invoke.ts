import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { z } from 'zod'
import { wrapTools } from '../../../src/run/wrap-tools.ts'
import { asAsked, type FrameworkAgent, lookUp } from './framework-agent.ts'

/** A prebuilt agent of LangGraph, with a tool made by `tool`. */
export const agent: FrameworkAgent = async ({ question, model }, { spell = asAsked } = {}) => {
  const getOrder = tool(({ id }: { id: string }) => JSON.stringify(lookUp(id)), {
    name: 'get_order',
    description: 'Looks an order up.',
    schema: z.object({ id: z.string().transform(spell) }),
  })
  const llm = new ChatOpenAI({ model: 'gpt-4.1-mini', apiKey: 'sk-local', configuration: { baseURL: model } })
  const graph = createReactAgent({ llm, tools: wrapTools([getOrder]) })
  const { messages } = await graph.invoke({ messages: [{ role: 'user', content: question }] })
  return messages.map((message) => message.content)
}
