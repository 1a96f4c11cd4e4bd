// oxlint-disable-next-line import/no-unassigned-import -- It changes `dns.lookup`.
import './loopback-names.mjs'
import { Client } from 'langsmith'

export const keys = ['LANGSMITH_API_KEY']

let tries = 0

export function answer({ method, url }) {
  if (url.startsWith('/info')) return { body: { version: '0.12.0' } }
  if (method === 'POST') return { status: 200, headers: { 'x-feedback': 'f-1' }, body: { id: '5d2b4c1e-1111-4222-8333-444455556666' } }
  if (tries++ === 0) return { status: 503, statusText: 'Not Yet', headers: { 'retry-after': '1' }, body: {} }
  return { body: { commit_hash: 'ab12', manifest: { kwargs: { template: 'Be kind' } }, examples: [] } }
}

/** Pulls a prompt from LangSmith by the name of its host, and sends an answer with it to the shop. */
export async function agent({ base, change }) {
  const { port } = new URL(base)
  const client = new Client({ apiUrl: `http://api.smith.langchain.com:${port}`, apiKey: process.env.LANGSMITH_API_KEY })
  const prompt = await client.pullPromptCommit('support:ab12')
  const text = change === 'another text' ? 'Be rude' : prompt.manifest.kwargs.template
  const sent = await fetch(`${base}/answers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  })
  return [prompt.commit_hash, sent.headers.get('x-feedback')]
}
