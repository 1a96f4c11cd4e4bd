import type { ChangedAgent } from '../changed-agent.ts'
import { accept, acceptOutcome, answer } from './words.ts'

/** Agents with tools, some of which keep something between their calls, and runs that went wrong. */
export const tools: readonly ChangedAgent[] = [
  {
    name: 'tool-with-a-cart',
    code: `const cart = []
const add = tool('add', { effect: 'read' }, async (item) => { cart.push(item); return cart.length })
export async function agent() {
  const count = await add('lamp')
  await post('/orders', { count })
  return { count }
}`,
    change: ['{ count })\n', '{ count, gift: true })\n'],
    says: { 1: { headline: 'step 2 diverged (input: body).', at: "post('/orders'", advice: accept } },
  },
  {
    name: 'tool-called-with-more',
    code: `const add = tool('add', { effect: 'read' }, async ({ item }) => item.length)
export async function agent() {
  await add({ item: 'lamp' })
  return await add({ item: 'desk' })
}`,
    change: ["{ item: 'desk' }", "{ item: 'desks' }"],
    says: { 1: { headline: 'step 2 diverged (input: args).', at: "'desks'", advice: accept } },
  },
  {
    name: 'tool-called-again',
    code: `const refund = tool('refund', { effect: 'write' }, async ({ id }) => ({ id }))
export async function agent() {
  await refund({ id: 'a' })
  return await get('/done')
}`,
    change: ['  return await get', "  await refund({ id: 'a' }) // again\n  return await get"],
    says: { 1: { headline: 'the call after step 1 diverged (unexpected call).', at: '// again', advice: answer } },
  },
  {
    name: 'outcome-of-an-agent',
    code: `const look = tool('look', { effect: 'read' }, async (id) => ({ id }))
export async function agent() {
  const { id } = await look('a')
  return { id, state: 'sent' }
}`,
    change: ["state: 'sent'", "state: 'lost'"],
    says: { 1: { headline: 'the outcome diverged.', advice: acceptOutcome } },
  },
  {
    name: 'incident-repeated',
    code: `const refund = tool('refund', { effect: 'write' }, async ({ id }) => ({ id }))
const retries = new Map()
export async function agent() {
  await refund({ id: 'a' })
  const { status } = await get('/confirm')
  retries.set('a', status)
  await refund({ id: 'a' }) // again
  return await post('/done', { id: 'a' })
}`,
    change: ["retries.set('a', status)", "retries.set('a', 'again')"],
    incident: { trigger: 2, at: 3 },
    says: { 1: { headline: 'the agent still repeats the incident.', at: '// again', advice: 'Fix the agent, not the golden.' } },
  },
]
