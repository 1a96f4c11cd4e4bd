import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob'

export const keys = ['AZURE_STORAGE_KEY']

export function answer({ method }) {
  const headers = { etag: '"v1"', 'last-modified': 'Sat, 28 Nov 2026 10:00:00 GMT', 'x-ms-request-id': 'r1', 'x-ms-version': '2026-02-06' }
  if (method !== 'GET') return { status: 201, headers, body: '' }
  return { status: 206, type: 'text/plain', headers: { ...headers, 'content-range': 'bytes 0-4/10' }, body: 'ord_1' }
}

/** Reads a part of a blob, and writes it if nobody else has. */
export async function agent({ base, change }) {
  const key = Buffer.from(process.env.AZURE_STORAGE_KEY).toString('base64')
  const service = new BlobServiceClient(`${base}/shop`, new StorageSharedKeyCredential('shop', key))
  const blob = service.getContainerClient('orders').getBlockBlobClient('orders.txt')
  const part = await blob.downloadToBuffer(change === 'another range' ? 5 : 0, 5)
  const conditions = change === 'no precondition' ? {} : { ifMatch: '"v1"' }
  const { etag } = await blob.upload(part, part.length, { conditions, ...(change === 'another tier' && { tier: 'Archive' }) })
  return [part.toString(), etag]
}
