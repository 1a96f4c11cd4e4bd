import { GoogleGenAI } from '@google/genai'

export const keys = ['GEMINI_API_KEY']

const said = (parts) => ({ candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts } }], modelVersion: 'flash' })

export function answer({ url, body }) {
  if (url.includes('embedContent') || url.includes('EmbedContents')) return { body: { embeddings: [{ values: [1, 2] }] } }
  if (url.includes('stream'))
    return { type: 'text/event-stream', body: `data: ${JSON.stringify(said([{ text: 'It is packed.' }]))}\r\n\r\n` }
  const { contents } = JSON.parse(body)
  return { body: contents.length === 1 ? said([{ functionCall: { name: 'get_order', args: { id: 'ord_1' } } }]) : said([{ text: 'Yes.' }]) }
}

/** A turn with a tool call, whose last answer is a stream, and an embedding. */
export async function agent({ base }) {
  const client = new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY, httpOptions: { baseUrl: base } })
  const config = {
    tools: [
      { functionDeclarations: [{ name: 'get_order', parametersJsonSchema: { type: 'object', properties: { id: { type: 'string' } } } }] },
    ],
  }
  const contents = [{ role: 'user', parts: [{ text: 'Where is ord_1?' }] }]
  const { functionCalls, candidates } = await client.models.generateContent({ model: 'flash', contents, config })
  const response = { functionResponse: { name: functionCalls[0].name, response: { status: 'packed' } } }
  contents.push(candidates[0].content, { role: 'user', parts: [response] })
  let text = ''
  for await (const chunk of await client.models.generateContentStream({ model: 'flash', contents, config })) text += chunk.text
  const { embeddings } = await client.models.embedContent({ model: 'embedding', contents: text })
  return [text, embeddings[0].values]
}
