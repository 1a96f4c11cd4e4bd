import Anthropic from '@anthropic-ai/sdk'
import { answer } from './providers/anthropic.mjs'

export const keys = ['ANTHROPIC_API_KEY']

export { answer }

/** A turn with a tool call, whose last answer is a stream. */
export async function agent({ base }) {
  const client = new Anthropic({ baseURL: base })
  const tools = [{ name: 'get_order', input_schema: { type: 'object', properties: { id: { type: 'string' } } } }]
  const messages = [{ role: 'user', content: 'Where is ord_1?' }]
  const asked = { model: 'claude-small', max_tokens: 100, tools }
  const { content } = await client.messages.create({ ...asked, messages })
  const result = { type: 'tool_result', tool_use_id: content[0].id, content: 'packed' }
  messages.push({ role: 'assistant', content }, { role: 'user', content: [result] })
  const { content: last } = await client.messages.stream({ ...asked, messages }).finalMessage()
  return last[0].text
}
