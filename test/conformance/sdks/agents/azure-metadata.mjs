import { AnonymousCredential, BlobClient } from '@azure/storage-blob'

export const keys = []

const headers = { 'x-ms-meta-state': 'draft', 'x-ms-meta-owner': 'desk-7', 'x-ms-lease-state': 'available', 'x-ms-request-id': 'r-1' }

let tries = 0

export function answer({ method }) {
  if (method === 'PUT') return { headers: { etag: '"0x2"', 'x-ms-request-id': 'r-2' }, body: '' }
  if (tries++ === 0) return { status: 503, statusText: 'Server is busy', headers: { 'x-ms-error-code': 'ServerBusy', 'content-length': 0 } }
  return { headers: { ...headers, etag: '"0x1"', 'last-modified': 'Mon, 02 Nov 2026 08:00:00 GMT', 'content-length': 10 }, body: '' }
}

/** Is refused once, reads a blob's metadata, and writes them with the state that follows. */
export async function agent({ base, change }) {
  const retryOptions = { maxTries: 3, retryDelayInMs: 20 }
  const blob = new BlobClient(`${base}/account/orders/plan.txt`, new AnonymousCredential(), { retryOptions })
  const { metadata, etag, leaseState, requestId } = await blob.getProperties()
  const state = change === 'another state' ? 'deleted' : `${metadata.state}-approved`
  const conditions = change === 'no precondition' ? {} : { ifMatch: etag }
  const set = await blob.setMetadata({ ...metadata, state }, { conditions })
  return [metadata, leaseState, requestId, set.requestId]
}
