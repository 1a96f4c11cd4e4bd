import { createOpenAI } from '@ai-sdk/openai'
import { isStepCount, streamText, tool as sdkTool } from 'ai'
import { z } from 'zod'
import { tool } from '../../../src/run/tool.ts'
import { asAsked, type FrameworkAgent, lookUp } from './framework-agent.ts'

const getOrder = tool('get_order', { effect: 'read' }, async ({ id }: { id: string }) => lookUp(id))

/** A stream of the AI SDK whose tool is a boundary by itself: it is called with the conversation and a signal, too. */
export const agent: FrameworkAgent = async ({ question, model }, { spell = asAsked } = {}) => {
  const inputSchema = z.object({ id: z.string().transform(spell) })
  const { text } = streamText({
    model: createOpenAI({ baseURL: model, apiKey: 'sk-local' }).chat('gpt-4.1-mini'),
    prompt: question,
    tools: { get_order: sdkTool({ description: 'Looks an order up.', inputSchema, execute: getOrder }) },
    stopWhen: isStepCount(3),
    abortSignal: new AbortController().signal,
    onError: () => undefined,
  })
  return await text
}
