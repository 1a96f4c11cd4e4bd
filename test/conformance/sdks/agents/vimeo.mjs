import { writeFileSync } from 'node:fs'
import vimeo from '@vimeo/vimeo/lib/vimeo.js'

export const keys = ['VIMEO_TOKEN']

const bytes = Buffer.from('video '.repeat(20))
writeFileSync('plan.mp4', bytes)
writeFileSync('secret.mp4', 'movie '.repeat(20))

export function answer({ method, url, headers }) {
  const offset = { 'tus-resumable': '1.0.0', 'upload-offset': 20, 'upload-length': bytes.length }
  if (method === 'HEAD') return { headers: { ...offset, 'cache-control': 'no-store' }, body: '' }
  if (method === 'PATCH' && url === '/upload/4')
    return { headers: { ...offset, 'upload-offset': bytes.length, 'x-upload-id': 'u-4' }, body: '' }
  if (method === 'POST')
    return { status: 201, body: { uri: '/videos/4', name: 'Plan', upload: { upload_link: `http://${headers.host}/upload/4` } } }
  return { headers: { 'x-ratelimit-remaining': '88' }, body: { uri: '/videos/4', user: { email: 'ada@mail.example' }, tail: 'end' } }
}

/** Resumes an upload at the header `upload-offset`, and reads the video, whose author has an e-mail address. */
export async function agent({ base, change }) {
  const { hostname, port } = new URL(base)
  Object.assign(vimeo.request_defaults, { protocol: 'http:', hostname, port })
  const client = new vimeo.Vimeo('client', 'not used', process.env.VIMEO_TOKEN)
  const file = change === 'another video' ? 'secret.mp4' : 'plan.mp4'
  const uri = await new Promise((resolve, reject) => {
    client.upload(
      file,
      { name: change === 'another name' ? 'Secret' : 'Plan' },
      resolve,
      () => {},
      (why) => reject(new Error(String(why))),
    )
  })
  const { body, headers } = await client.request({ method: 'GET', path: uri })
  return [uri, body.tail, headers['x-ratelimit-remaining']]
}
