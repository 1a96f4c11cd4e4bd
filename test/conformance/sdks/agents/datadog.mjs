// oxlint-disable-next-line import/no-unassigned-import -- It changes `dns.lookup`.
import './loopback-names.mjs'
import { client as core, v1 } from '@datadog/datadog-api-client'

export const keys = ['DD_API_KEY', 'DD_APP_KEY']

let tries = 0

export function answer({ method, url }) {
  if (url.startsWith('/api/v1/user')) return { body: { users: [{ handle: 'ada@mail.example', name: 'Ada' }] } }
  if (method === 'POST') return { body: { id: 4, name: 'late orders', type: 'metric alert', query: 'q', message: 'm' } }
  if (tries++ === 0) return { status: 429, statusText: 'Slow', headers: { 'x-ratelimit-reset': '1' }, body: { errors: ['slow'] } }
  return { headers: { 'x-ratelimit-remaining': '3' }, body: { status: 'ok', series: [{ metric: 'orders.late', pointlist: [[1, 42]] }] } }
}

/** Is limited once, reads a figure and a user with an e-mail address from Datadog by the name of its host, and makes a monitor. */
export async function agent({ base, change }) {
  const baseServer = new core.BaseServerConfiguration(`http://api.datadoghq.com:${new URL(base).port}`, {})
  const configuration = core.createConfiguration({ enableRetry: true, baseServer })
  const query = change === 'another metric' ? 'avg:orders.lost{*}' : 'avg:orders.late{*}'
  const figures = await new v1.MetricsApi(configuration).queryMetrics({ from: 1, to: 2, query })
  const [, value] = figures.series[0].pointlist[0]
  const { users } = await new v1.UsersApi(configuration).listUsers()
  const message = `@${change === 'another user' ? 'eve@mail.example' : users[0].handle}`
  const monitor = { name: 'late orders', type: 'metric alert', query: `${query} > ${value}`, message }
  const made = await new v1.MonitorsApi(configuration).createMonitor({ body: monitor })
  return [value, users[0].name, made.id]
}
