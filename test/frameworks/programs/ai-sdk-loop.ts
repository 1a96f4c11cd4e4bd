import { createOpenAI } from '@ai-sdk/openai'
import { tool, ToolLoopAgent } from 'ai'
import { z } from 'zod'
import { wrapTools } from '../../../src/run/wrap-tools.ts'
import { asAsked, type FrameworkAgent, lookUp } from './framework-agent.ts'

/** A loop of the AI SDK, with tools made by `tool`. */
export const agent: FrameworkAgent = async ({ question, model }, { spell = asAsked } = {}) => {
  const inputSchema = z.object({ id: z.string().transform(spell) })
  const tools = wrapTools({ get_order: tool({ description: 'Looks an order up.', inputSchema, execute: async ({ id }) => lookUp(id) }) })
  const openai = createOpenAI({ baseURL: model, apiKey: 'sk-local' })
  return (await new ToolLoopAgent({ model: openai.chat('gpt-4.1-mini'), tools }).generate({ prompt: question })).text
}
