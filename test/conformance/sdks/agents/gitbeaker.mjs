import { Gitlab } from '@gitbeaker/rest'

export const keys = ['GITLAB_TOKEN']

let tries = 0

export function answer({ method, url }) {
  if (tries++ === 0) return { status: 429, statusText: 'Slow Down', body: { message: 'Too many' } }
  if (method === 'PUT') return { body: { iid: 4, state: 'closed' } }
  const page = Number(new URLSearchParams(url.split('?')[1]).get('page') ?? 1)
  return { headers: { 'x-page': page, 'x-next-page': page + 1, 'x-total': 4, 'x-total-pages': 4, 'x-per-page': 1 }, body: [{ iid: page }] }
}

/** Is refused once, reads one page after the other by `x-next-page`, and closes as many issues as `x-total` says. */
export async function agent({ base, change }) {
  const gitlab = new Gitlab({ host: base, token: process.env.GITLAB_TOKEN })
  const read = (page) => gitlab.Issues.all({ projectId: 7, page, perPage: 1, pagination: 'offset', showExpanded: true })
  const first = await read(1)
  const { data, paginationInfo } = await read(change === 'the last page' ? first.paginationInfo.totalPages : first.paginationInfo.next)
  const issue = change === 'another issue' ? data[0].iid : paginationInfo.total
  const closed = await gitlab.Issues.edit(7, issue, { stateEvent: 'close' })
  return [data[0].iid, paginationInfo, closed.state]
}
