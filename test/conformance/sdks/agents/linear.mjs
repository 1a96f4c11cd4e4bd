import { LinearClient } from '@linear/sdk'

export const keys = ['LINEAR_API_KEY', 'LINEAR_ADMIN_KEY']

export function answer({ body }) {
  if (body.includes('viewer')) return { body: { data: { viewer: { id: 'u1', name: 'Ann', email: 'ann@example.com' } } } }
  return { body: { data: { issueCreate: { success: true, lastSyncId: 1, issue: { id: 'i1' } } } } }
}

/** Looks who it is, and opens an issue. */
export async function agent({ base, change }) {
  const { LINEAR_API_KEY: own, LINEAR_ADMIN_KEY: other } = process.env
  const apiUrl = `${base}/graphql`
  const viewer = await new LinearClient({ apiKey: own, apiUrl }).viewer
  const identity = change === 'another scheme' ? { accessToken: own } : { apiKey: change === 'another variable' ? other : own }
  const { success } = await new LinearClient({ ...identity, apiUrl }).createIssue({ teamId: 't1', title: 'ord_1 is late' })
  return [viewer.name, success]
}
