import Anthropic from '@anthropic-ai/sdk'
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod'
import { z } from 'zod'
import { wrapTools } from '../../../src/run/wrap-tools.ts'
import { asAsked, type FrameworkAgent, lookUp } from './framework-agent.ts'

/** The tool runner of the Anthropic SDK. */
export const agent: FrameworkAgent = async ({ question, model }, { spell = asAsked } = {}) => {
  const anthropic = new Anthropic({ apiKey: 'sk-local', baseURL: model.replace('/v1', '') })
  const { getOrder } = wrapTools({
    getOrder: betaZodTool({
      name: 'get_order',
      description: 'Looks an order up.',
      inputSchema: z.object({ id: z.string() }),
      run: async ({ id }) => JSON.stringify(lookUp(id)),
    }),
  })
  const spelt: typeof getOrder = { ...getOrder, run: async ({ id }, context) => await getOrder.run({ id: spell(id) }, context) }
  const messages = [{ role: 'user' as const, content: question }]
  const last = await anthropic.beta.messages.toolRunner({ model: 'claude-next', max_tokens: 100, messages, tools: [spelt] })
  return last.content
}
