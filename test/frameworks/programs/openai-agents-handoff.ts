import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents'
import { z } from 'zod'
import { wrapTools } from '../../../src/run/wrap-tools.ts'
import { asAsked, type FrameworkAgent, lookUp } from './framework-agent.ts'

/** Two agents of OpenAI Agents: the first hands over to the second, which has a tool. */
export const agent: FrameworkAgent = async ({ question, model }, { spell = asAsked } = {}) => {
  const { getOrder } = wrapTools({
    getOrder: tool({
      name: 'get_order',
      description: 'Looks an order up.',
      parameters: z.object({ id: z.string() }),
      execute: async ({ id }, context) => ({ ...lookUp(id), asked: context?.usage.requests }),
    }),
  })
  const spelt: typeof getOrder = {
    ...getOrder,
    invoke: (context, input, details) =>
      getOrder.invoke(
        context,
        input.replaceAll(/ord_\d/g, (id) => spell(id)),
        details,
      ),
  }
  const orders = new Agent({ name: 'orders', instructions: 'You know about orders.', tools: [spelt] })
  const support = new Agent({ name: 'support', instructions: 'You hand over.', handoffs: [orders] })
  const modelProvider = new OpenAIProvider({ apiKey: 'sk-local', baseURL: model, useResponses: false })
  const result = await new Runner({ modelProvider, model: 'gpt-4.1-mini' }).run(support, question)
  return { final: result.finalOutput, last: result.lastAgent?.name }
}
