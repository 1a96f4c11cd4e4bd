import { CohereClientV2 } from 'cohere-ai'

export const keys = ['CO_API_KEY']

let tries = 0

export function answer({ body }) {
  tries += 1
  if (tries === 1) return { status: 503, statusText: 'Warming up', headers: { 'retry-after': '1' }, body: { message: 'wait' } }
  const { stream } = JSON.parse(body)
  const said = { id: 'c', finish_reason: 'COMPLETE', message: { role: 'assistant', content: [{ type: 'text', text: 'packed' }] } }
  if (stream !== true) return { headers: { 'x-trial-endpoint-call-remaining': '7' }, body: said }
  const event = (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
  const delta = (text) => event({ type: 'content-delta', index: 0, delta: { message: { content: { text } } } })
  const pieces = [event({ type: 'message-start', id: 'c' }), delta('on its '), delta('way'), event({ type: 'message-end', id: 'c' })]
  return { type: 'text/event-stream', pieces }
}

/** Is sent away once with `retry-after`, reads how many calls are left from a header, and reads a stream. */
export async function agent({ base, change }) {
  const cohere = new CohereClientV2({ environment: base, token: process.env.CO_API_KEY })
  const messages = [{ role: 'user', content: 'Where is ord_1?' }]
  const { data, rawResponse } = await cohere.chat({ model: 'small', messages }).withRawResponse()
  const left = rawResponse.headers.get('x-trial-endpoint-call-remaining')
  const content = change === 'another question' ? 'Cancel it' : `Is it ${data.message.content[0].text}? ${left} calls are left.`
  let text = ''
  for await (const event of await cohere.chatStream({ model: 'small', messages: [{ role: 'user', content }] }))
    if (event.type === 'content-delta') text += event.delta.message.content.text
  return [left, text]
}
