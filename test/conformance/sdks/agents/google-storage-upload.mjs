import { Storage } from '@google-cloud/storage'

export const keys = ['GOOGLE_STORAGE_TOKEN']

let puts = 0

export function answer({ method, headers }) {
  if (method === 'POST') return { headers: { location: `http://${headers.host}/upload/session?upload_id=ABPtcPp4` }, body: '' }
  puts += 1
  if (puts === 1) return { status: 308, statusText: 'Resume Incomplete', headers: { range: 'bytes=0-262143' }, body: '' }
  return { body: { name: 'plan.txt', bucket: 'shop', generation: '4', size: '300000', md5Hash: '', crc32c: '' } }
}

/** Uploads a file in two parts to the location that the first response names. */
export async function agent({ base, change }) {
  const token = process.env.GOOGLE_STORAGE_TOKEN
  const request = async ({ url, method, headers, body, data }) => {
    const response = await fetch(url, { method, headers, body: body ?? data, redirect: 'manual', ...(body && { duplex: 'half' }) })
    const text = await response.text()
    return { status: response.status, headers: response.headers, data: text === '' ? undefined : JSON.parse(text) }
  }
  const authClient = { getRequestHeaders: async () => new Headers({ authorization: `Bearer ${token}` }), request }
  const storage = new Storage({ apiEndpoint: base, projectId: 'shop', authClient, useAuthWithCustomEndpoint: false })
  const file = storage.bucket('shop').file(change === 'another object' ? 'public.txt' : 'plan.txt')
  const text = (change === 'another end' ? 'b' : 'a').padStart(300_000, 'plan ')
  await file.save(text, { resumable: true, chunkSize: 262_144, validation: false })
  return [file.metadata.generation, file.metadata.size]
}
