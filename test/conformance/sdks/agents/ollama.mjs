import { Ollama } from 'ollama'

export const keys = []

export function answer({ url, body }) {
  const line = (value) => `${JSON.stringify({ model: 'small', created_at: '2026-11-02T08:00:00Z', ...value })}\n`
  if (url === '/api/pull') return { type: 'application/x-ndjson', pieces: [line({ status: 'pulling' }) + '{"status":', '"success"}\n'] }
  const { messages } = JSON.parse(body)
  const words = messages.length === 1 ? ['It is ', 'pack', 'ed.'] : ['Bye.']
  const pieces = words.map((content) => line({ message: { role: 'assistant', content }, done: false }))
  return {
    type: 'application/x-ndjson',
    pieces: [...pieces, line({ message: { role: 'assistant', content: '' }, done: true, eval_count: 3 })],
  }
}

/** Pulls a model, and talks to it: JSON lines, one of them in two pieces. */
export async function agent({ base, change }) {
  const ollama = new Ollama({ host: base })
  const states = []
  for await (const { status } of await ollama.pull({ model: change === 'another pull' ? 'large' : 'small', stream: true }))
    states.push(status)
  const messages = [{ role: 'user', content: 'Where is ord_1?' }]
  const ask = async () => {
    let content = ''
    for await (const part of await ollama.chat({ model: 'small', messages, stream: true })) content += part.message.content
    return content
  }
  messages.push(
    { role: 'assistant', content: await ask() },
    { role: 'user', content: change === 'another question' ? 'Cancel it.' : 'Thanks.' },
  )
  return [states, messages[1].content, await ask()]
}
