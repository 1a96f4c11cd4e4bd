import { Agent, OpenAIProvider, Runner, tool as agentTool } from '@openai/agents'
import { z } from 'zod'
import { tool } from '../../../src/run/tool.ts'
import { asAsked, type FrameworkAgent, lookUp } from './framework-agent.ts'

const getOrder = tool('get_order', { effect: 'read' }, async ({ id }: { id: string }) => lookUp(id))

/** An agent of OpenAI Agents that can be stopped, whose tool is a boundary by itself: it is called with a run context and a signal, too. */
export const agent: FrameworkAgent = async ({ question, model }, { spell = asAsked } = {}) => {
  const execute: typeof getOrder = ({ id }, ...beside: unknown[]) => Reflect.apply(getOrder, undefined, [{ id: spell(id) }, ...beside])
  const tools = [agentTool({ name: 'get_order', description: 'Looks an order up.', parameters: z.object({ id: z.string() }), execute })]
  const support = new Agent({ name: 'support', instructions: 'You know about orders.', tools })
  const modelProvider = new OpenAIProvider({ apiKey: 'sk-local', baseURL: model, useResponses: true })
  const { signal } = new AbortController()
  return (await new Runner({ modelProvider, model: 'gpt-4.1-mini' }).run(support, question, { signal })).finalOutput
}
