import Groq from 'groq-sdk'

export const keys = ['GROQ_API_KEY']

let tries = 0

export function answer({ body }) {
  tries += 1
  if (tries === 1) return { status: 429, statusText: 'Wait', headers: { 'retry-after': '1', 'x-ratelimit-reset-requests': '1s' }, body: {} }
  const { stream } = JSON.parse(body)
  const limits = { 'x-ratelimit-remaining-tokens': '40', 'x-request-id': 'req_g' }
  const choice = (more) => ({ id: 'c1', model: 'small', choices: [{ index: 0, finish_reason: null, ...more }] })
  if (stream !== true) return { headers: limits, body: choice({ message: { role: 'assistant', content: 'packed' } }) }
  const pieces = ['pack', 'ed'].map((content) => `data: ${JSON.stringify(choice({ delta: { content } }))}\n\n`)
  return { type: 'text/event-stream', pieces: [...pieces, 'data: [DONE]\n\n'] }
}

/** Waits as long as `retry-after` says, asks for as many tokens as a header leaves, and reads a stream. */
export async function agent({ base, change }) {
  const client = new Groq({ baseURL: base })
  const messages = [{ role: 'user', content: 'Where is ord_1?' }]
  const { response } = await client.chat.completions.create({ model: 'small', messages }).withResponse()
  const left = Number(response.headers.get('x-ratelimit-remaining-tokens'))
  const limit = change === 'no limit' ? {} : { max_completion_tokens: left }
  let text = ''
  for await (const chunk of await client.chat.completions.create({ model: 'small', messages, stream: true, ...limit }))
    text += chunk.choices[0].delta.content
  return [text, response.headers.get('x-request-id')]
}
