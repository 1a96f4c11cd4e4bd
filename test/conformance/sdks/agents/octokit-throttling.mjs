import { Octokit } from '@octokit/core'
import { throttling } from '@octokit/plugin-throttling'

export const keys = ['GITHUB_TOKEN']

const secondary = { message: 'You have exceeded a secondary rate limit.', documentation_url: 'https://docs.example/#secondary-rate-limits' }
let tries = 0

export function answer({ method }) {
  if (method === 'POST') return { status: 201, headers: { 'x-github-request-id': 'A1:B2' }, body: { id: 3 } }
  tries += 1
  if (tries === 1) return { status: 403, headers: { 'retry-after': '1' }, body: secondary }
  const limits = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 1) }
  if (tries === 2) return { status: 403, headers: limits, body: { message: 'API rate limit exceeded' } }
  return { headers: { 'x-ratelimit-remaining': '17' }, body: { number: 1, title: 'Late' } }
}

/** Waits after a secondary limit by `retry-after`, and after a limit by `x-ratelimit-reset`, and writes how many requests are left. */
export async function agent({ base, change }) {
  const limits = []
  const onRateLimit = (seconds, _, __, count) => count < 3 && limits.push(['limit', seconds > 0]) > 0
  const onSecondaryRateLimit = (seconds) => limits.push(['secondary', seconds]) > 0
  const github = new (Octokit.plugin(throttling))({
    baseUrl: base,
    auth: process.env.GITHUB_TOKEN,
    throttle: { onRateLimit, onSecondaryRateLimit },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })
  const issue = { owner: 'shop', repo: 'orders', issue_number: change === 'another issue' ? 2 : 1 }
  const { data, headers } = await github.request('GET /repos/{owner}/{repo}/issues/{issue_number}', issue)
  const body = change === 'another comment' ? 'none left' : `${data.title}, ${headers['x-ratelimit-remaining']} left`
  const made = await github.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', { ...issue, body })
  return [limits, made.headers['x-github-request-id']]
}
