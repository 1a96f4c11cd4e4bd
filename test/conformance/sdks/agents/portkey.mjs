// oxlint-disable-next-line import/no-unassigned-import -- It changes `dns.lookup`.
import './loopback-names.mjs'
import { Portkey } from 'portkey-ai'

export const keys = ['PORTKEY_API_KEY']

let tries = 0

export function answer({ body }) {
  if (tries++ === 0) return { status: 503, statusText: 'Waking Up', body: { error: { message: 'busy' } } }
  const headers = {
    'x-portkey-trace-id': 'trace-9',
    'x-portkey-cache-status': 'MISS',
    'x-portkey-last-used-option-index': 'config.targets[1]',
  }
  const choice = (more) => ({
    id: 'c1',
    object: 'chat.completion',
    model: 'small',
    choices: [{ index: 0, finish_reason: 'stop', ...more }],
  })
  if (JSON.parse(body).stream !== true) return { headers, body: choice({ message: { role: 'assistant', content: 'packed' } }) }
  const pieces = ['on its ', 'way'].map((content) => `data: ${JSON.stringify(choice({ delta: { content } }))}\n\n`)
  return { type: 'text/event-stream', headers, pieces: [...pieces, 'data: [DONE]\n\n'] }
}

/** Calls a model through Portkey's gateway by the name of its host. A 503 without the gateway's trace id is sent again. */
export async function agent({ base, change }) {
  const { port } = new URL(base)
  const config = change === 'another config' ? 'pc-other' : 'pc-shop'
  const client = new Portkey({ baseURL: `http://api.portkey.ai:${port}/v1`, config, virtualKey: 'desk', strictOpenAiCompliance: true })
  const messages = [{ role: 'user', content: 'Where is ord_1?' }]
  const said = await client.chat.completions.create({ model: 'small', messages })
  messages.push(said.choices[0].message, { role: 'user', content: change === 'another question' ? 'Cancel it.' : 'When?' })
  let text = ''
  for await (const chunk of await client.chat.completions.create({ model: 'small', messages, stream: true }))
    text += chunk.choices[0].delta.content
  return [text, said.getHeaders()?.['trace-id']]
}
