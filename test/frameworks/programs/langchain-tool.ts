import { tool as langchainTool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { z } from 'zod'
import { tool } from '../../../src/run/tool.ts'
import { asAsked, type FrameworkAgent, lookUp } from './framework-agent.ts'

const getOrder = tool('get_order', { effect: 'read' }, async ({ id }: { id: string }) => JSON.stringify(lookUp(id)))

/** An agent of LangGraph whose tool was made a boundary before LangChain got it: it is called with LangGraph's runtime, too. */
export const agent: FrameworkAgent = async ({ question, model }, { spell = asAsked } = {}) => {
  const schema = z.object({ id: z.string().transform(spell) })
  const llm = new ChatOpenAI({ model: 'gpt-4.1-mini', apiKey: 'sk-local', configuration: { baseURL: model } })
  const tools = [langchainTool(getOrder, { name: 'get_order', description: 'Looks an order up.', schema })]
  const { messages } = await createReactAgent({ llm, tools }).invoke({ messages: [{ role: 'user', content: question }] })
  return messages.map((message) => message.content)
}
