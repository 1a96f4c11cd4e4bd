import { Dropbox } from 'dropbox'

export const keys = ['DROPBOX_TOKEN']

export const answer = () => ({ body: { name: 'plan.txt', id: 'id:1', size: 4 } })

/** Uploads a file, whose path is only in a header. */
export async function agent({ base, change }) {
  const atHome = (url, options) => fetch(String(url).replace(/^https:\/\/[^/]+/, base), options)
  const client = new Dropbox({ accessToken: process.env.DROPBOX_TOKEN, fetch: atHome })
  const path = change === 'another path' ? '/public/salaries.txt' : '/private/salaries.txt'
  const { result } = await client.filesUpload({ path, contents: 'plan', mode: 'add' })
  return result.id
}
