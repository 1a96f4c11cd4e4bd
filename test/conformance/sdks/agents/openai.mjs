import OpenAI from 'openai'
import { answer } from './providers/openai.mjs'

export const keys = ['OPENAI_API_KEY', 'OPENAI_PROJECT_ID']

export { answer }

/** A turn with a tool call, whose last answer is a stream; an embedding, and an upload. */
export async function agent({ base, change }) {
  const client = new OpenAI({
    baseURL: `${base}/v1`,
    organization: change === 'another organization' ? 'org-other' : 'org-shop',
    ...(change === 'another project' && { project: 'proj_other' }),
  })
  const tools = [
    { type: 'function', function: { name: 'get_order', parameters: { type: 'object', properties: { id: { type: 'string' } } } } },
  ]
  const messages = [{ role: 'user', content: 'Where is ord_1?' }]
  const { choices } = await client.chat.completions.create({ model: 'gpt-5-mini', messages, tools })
  messages.push(choices[0].message, { role: 'tool', tool_call_id: 'call_1', content: '{"status":"packed"}' })
  let text = ''
  const stream = await client.chat.completions.create({ model: 'gpt-5-mini', messages, tools, stream: true })
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
  const { data } = await client.embeddings.create({ model: 'small', input: text })
  const file = await client.files.create({ purpose: 'assistants', file: new File(['ord_1'], 'orders.txt') })
  return [text, data[0].embedding, file.id]
}
