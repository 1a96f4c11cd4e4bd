// oxlint-disable-next-line import/no-unassigned-import -- It changes `dns.lookup`.
import './loopback-names.mjs'
import { InMemStorageProvider, startUnleash } from 'unleash-client'

export const keys = ['UNLEASH_TOKEN']

export function answer({ url }) {
  if (url.includes('/client/register') || url.includes('/client/metrics')) return { status: 202, body: '' }
  if (!url.includes('/client/features')) return { headers: { 'x-tool': 't-1' }, body: { ok: true } }
  const strategies = [{ name: 'userWithId', constraints: [], parameters: { userIds: 'ada@mail.example,desk-7' } }]
  const features = [{ name: 'new-tool', enabled: true, strategies, variants: [] }]
  return { headers: { etag: '"76d8bb0e:91"' }, body: { version: 2, features } }
}

/** Reads flags from Unleash by the name of its host, decides by one for an e-mail address, and calls the shop. */
export async function agent({ base, change }) {
  const { port } = new URL(base)
  const client = await startUnleash({
    url: `http://app.unleash-hosted.com:${port}/api/`,
    appName: 'support',
    customHeaders: { authorization: process.env.UNLEASH_TOKEN },
    disableMetrics: true,
    refreshInterval: 3_600_000,
    storageProvider: new InMemStorageProvider(),
  })
  const isNew = client.isEnabled('new-tool', { userId: change === 'another user' ? 'desk-8' : 'desk-7' })
  client.destroy()
  const sent = await fetch(`${base}/tools/${isNew ? 'new' : 'old'}`)
  return [isNew, sent.headers.get('x-tool')]
}
