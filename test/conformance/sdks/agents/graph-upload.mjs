import { Client, FileUpload, LargeFileUploadTask } from '@microsoft/microsoft-graph-client'

export const keys = ['GRAPH_TOKEN']

let parts = 0

export function answer({ method, url }) {
  if (url.endsWith('createUploadSession'))
    return { body: { uploadUrl: 'https://upload.graph.example/sessions/up-1', expirationDateTime: '2090-01-01T00:00:00Z' } }
  if (method === 'PUT') {
    parts += 1
    if (parts === 1) return { status: 202, body: { expirationDateTime: '2090-01-01T00:00:00Z', nextExpectedRanges: ['327680-'] } }
    return {
      status: 201,
      headers: { location: 'https://graph.example/v1.0/me/messages/7/attachments/att-1' },
      type: 'text/plain',
      body: '',
    }
  }
  return { headers: { 'request-id': 'g-1' }, body: { id: 'att-1', size: 400_000 } }
}

/** Uploads an attachment in two parts, and reads what the header `location` of the last response names. */
export async function agent({ base, change }) {
  const headers = { authorization: `Bearer ${process.env.GRAPH_TOKEN}` }
  const execute = async (context) => {
    const url = String(context.request).replace(/^https:\/\/[^/]+/, base)
    context.response = await fetch(url, { ...context.options, headers: { ...context.options.headers, ...headers } })
  }
  const client = Client.initWithMiddleware({ middleware: { execute }, baseUrl: 'https://graph.example' })
  const path = `/me/messages/${change === 'another message' ? 8 : 7}/attachments/createUploadSession`
  const session = await LargeFileUploadTask.createUploadSession(client, path, { AttachmentItem: { name: 'plan.txt' } })
  const content = Buffer.from((change === 'another end' ? 'b' : 'a').padStart(400_000, 'plan '))
  const file = new FileUpload(content, 'plan.txt', content.length)
  const { location } = await new LargeFileUploadTask(client, file, session, { rangeSize: 327_680 }).upload()
  const attachment = await client
    .api(change === 'another attachment' ? 'https://graph.example/v1.0/me/messages/7/attachments/att-2' : location)
    .get()
  return [new URL(location).pathname, attachment.id]
}
