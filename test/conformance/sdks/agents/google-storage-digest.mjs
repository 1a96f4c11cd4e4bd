import { createHash } from 'node:crypto'
import { CRC32C, Storage } from '@google-cloud/storage'

export const keys = ['GOOGLE_STORAGE_TOKEN']

const text = 'ord_1 for ada@mail.example\n'

export function answer({ method, url }) {
  if (method === 'PATCH') return { body: { name: 'orders.txt', metadata: { read: '3' } } }
  if (!url.includes('alt=media')) return { body: { name: 'orders.txt', bucket: 'shop', generation: '1', size: String(text.length) } }
  const crc32c = new CRC32C()
  crc32c.update(Buffer.from(text))
  const headers = {
    'x-goog-hash': `crc32c=${crc32c},md5=${createHash('md5').update(text).digest('base64')}`,
    'x-goog-generation': '7',
    'x-goog-meta-reader': 'desk-7',
  }
  return { type: 'text/plain', headers, body: text }
}

/** Downloads an object with an e-mail address, checked by each digest of `x-goog-hash`, and writes metadata of its header. */
export async function agent({ base, change }) {
  const token = process.env.GOOGLE_STORAGE_TOKEN
  const authClient = { getRequestHeaders: async () => new Headers({ authorization: `Bearer ${token}` }), request: fetch }
  const storage = new Storage({ apiEndpoint: base, projectId: 'shop', authClient, useAuthWithCustomEndpoint: false })
  const file = storage.bucket('shop').file(change === 'another object' ? 'invoices.txt' : 'orders.txt')
  const stream = file.createReadStream({ validation: 'crc32c' })
  let generation
  stream.on('response', ({ headers }) => (generation = new Headers(headers).get('x-goog-generation')))
  const first = Buffer.concat(await stream.toArray()).toString()
  const [second] = await file.download({ validation: 'md5' })
  const [metadata] = await file.setMetadata({ metadata: { read: change === 'another value' ? '0' : generation } })
  return [first.slice(0, 5), second.toString().slice(0, 5), generation, metadata.metadata]
}
