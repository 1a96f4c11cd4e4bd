import { createHash } from 'node:crypto'
import fetch from 'make-fetch-happen'

export const keys = ['NPM_TOKEN']

const text = JSON.stringify({ name: 'orders', author: 'ada@mail.example', version: '1.2.0' })
const integrity = `sha512-${createHash('sha512').update(text).digest('base64')}`
let tries = 0

export function answer({ method }) {
  if (method === 'PUT') return { status: 201, headers: { 'npm-notice': 'kept' }, body: { ok: true } }
  if (tries++ === 0) return { status: 503, statusText: 'Not Yet', body: {} }
  return { headers: { 'content-digest': `sha-512=:${integrity.slice(7)}:`, etag: '"v12"' }, body: text }
}

/** Is sent away once, reads a document with an e-mail address that is checked by its digest's header, and writes what it says. */
export async function agent({ base, change }) {
  const headers = { authorization: `Bearer ${process.env.NPM_TOKEN}` }
  const retry = { retries: 2, minTimeout: 20, maxTimeout: 40 }
  const [name, tag] = change === 'another package' ? ['invoices', 'latest'] : ['orders', 'latest']
  const read = await fetch(`${base}/${name}`, { headers, retry, cache: 'no-store' })
  const bytes = await read.buffer()
  const [, digest] = /sha-512=:(.*):/.exec(read.headers.get('content-digest'))
  const isWhole = createHash('sha512').update(bytes).digest('base64') === digest
  const version = change === 'another version' ? '9.9.9' : JSON.parse(bytes).version
  const body = JSON.stringify({ tag, version, isWhole })
  const written = await fetch(`${base}/tags`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    cache: 'no-store',
  })
  return [isWhole, read.headers.get('etag'), written.headers.get('npm-notice')]
}
