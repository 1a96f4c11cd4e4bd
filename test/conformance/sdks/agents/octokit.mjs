import { Octokit } from '@octokit/rest'

export const keys = ['GITHUB_TOKEN', 'RELEASE_TOKEN']

export function answer({ url }) {
  if (url.endsWith('/issues/1')) return { body: { id: 10, number: 1, title: 'Late' } }
  return { body: { id: 77, body: 'On its way.' } }
}

/** Reads an issue, and writes a comment. */
export async function agent({ base, change }) {
  const { GITHUB_TOKEN: own, RELEASE_TOKEN: other } = process.env
  const token = { 'another variable': other, 'no token': undefined }
  const issue = { owner: 'shop', repo: 'orders', issue_number: 1 }
  const { data } = await new Octokit({ baseUrl: base, auth: own }).issues.get(issue)
  const writer = new Octokit({ baseUrl: base, auth: change in token ? token[change] : own })
  const comment = await writer.issues.createComment({ ...issue, body: `${data.title}: on its way.` })
  return comment.data.id
}
