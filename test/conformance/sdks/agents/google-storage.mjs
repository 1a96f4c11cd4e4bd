import { Storage } from '@google-cloud/storage'

export const keys = ['GOOGLE_STORAGE_TOKEN']

export function answer({ url }) {
  if (url.includes('alt=media')) return { status: 206, type: 'text/plain', headers: { 'content-range': 'bytes 0-4/10' }, body: 'ord_1' }
  return { body: { name: 'orders.txt', bucket: 'shop', generation: '1', size: '10' } }
}

/** Reads a part of an object, for which a project pays. */
export async function agent({ base, change }) {
  const token = process.env.GOOGLE_STORAGE_TOKEN
  const authClient = { getRequestHeaders: async () => new Headers({ authorization: `Bearer ${token}` }), request: fetch }
  const storage = new Storage({ apiEndpoint: base, projectId: 'shop', authClient, useAuthWithCustomEndpoint: false })
  const file = storage.bucket('shop').file('orders.txt')
  const [start, end] = change === 'another range' ? [5, 9] : [0, 4]
  const pieces = await file.createReadStream({ start, end, validation: false }).toArray()
  return Buffer.concat(pieces).toString()
}
