import { people } from '@googleapis/people'

export const keys = ['GOOGLE_TOKEN']

let tries = 0

export function answer({ method }) {
  if (method === 'PATCH') return { body: { resourceName: 'people/c1', etag: 'e2' } }
  if (tries++ === 0) return { status: 503, statusText: 'Backend Error', headers: { 'retry-after': '1' }, body: { error: { code: 503 } } }
  return {
    headers: { 'x-quota-left': '12' },
    body: { resourceName: 'people/c1', etag: 'e1', emailAddresses: [{ value: 'ada@mail.example' }] },
  }
}

/** Is sent away once, reads a person with an e-mail address, and changes the person. */
export async function agent({ base, change }) {
  const headers = { authorization: `Bearer ${process.env.GOOGLE_TOKEN}` }
  const service = people({ version: 'v1', rootUrl: `${base}/`, headers, retryConfig: { retryDelay: 20 } })
  const resourceName = change === 'another person' ? 'people/c2' : 'people/c1'
  const { data, headers: got } = await service.people.get({ resourceName, personFields: 'emailAddresses' })
  const [{ value }] = data.emailAddresses
  const requestBody = {
    etag: data.etag,
    emailAddresses: [{ value: change === 'another address' ? 'eve@mail.example' : value, type: 'work' }],
  }
  const updated = await service.people.updateContact({ resourceName, updatePersonFields: 'emailAddresses', requestBody })
  return [new Headers(got).get('x-quota-left'), updated.data.etag, updated.status]
}
