import { Octokit } from '@octokit/rest'

export const keys = ['GITHUB_TOKEN']

export function answer({ url, headers }) {
  if (url.endsWith('/comments')) return { status: 201, body: { id: 900 } }
  const next = `<http://${headers.host}/repositories/5/issues?after=Y3Vyc29y&per_page=2>; rel="next"`
  const isLast = url.includes('after=')
  const issues = isLast ? [{ number: 3, title: 'Lost' }] : [1, 2].map((number) => ({ number, title: `Late ${number}` }))
  return { headers: isLast ? {} : { link: next }, body: issues }
}

/** Reads every page of issues, whose next one is only in the header `link`, and writes a comment to the last issue. */
export async function agent({ base, change }) {
  const github = new Octokit({ baseUrl: base, auth: process.env.GITHUB_TOKEN })
  const query = { owner: 'shop', repo: 'orders', per_page: 2, state: change === 'closed issues' ? 'closed' : 'open' }
  const issues = await github.paginate(github.issues.listForRepo, query)
  const last = change === 'the first issue' ? issues[0] : issues.at(-1)
  const { data } = await github.issues.createComment({ owner: 'shop', repo: 'orders', issue_number: last.number, body: last.title })
  return [issues.map(({ number }) => number), data.id]
}
