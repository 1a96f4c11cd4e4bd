import { HEADER_CHANGES } from '../mutations/agent-headers.ts'
import { PAYMENT_CHANGES } from '../mutations/payment-changes.ts'
import { PAYMENT_REFACTORINGS } from '../mutations/payment-refactorings.ts'
import { USER_TOKEN } from '../world/account-service.ts'
import type { Script } from '../world/script.ts'
import type { Scene, Subject } from './subject.ts'

const REASONS = ['It came broken.', 'It never came.', 'It is the wrong size.', 'It came twice.', 'It is too late.']

/** Retries, idempotency keys, time limits, and money. */
export const payments: Subject = {
  name: 'payments',
  scenes: Array.from({ length: 14 }, (_scene, index) => toScene(index)),
  mutations: [...PAYMENT_CHANGES, ...PAYMENT_REFACTORINGS, ...HEADER_CHANGES.payments],
}

function toScene(index: number): Scene {
  const reason = REASONS[index % REASONS.length] ?? ''
  return {
    name: `refund-${index + 1}`,
    input: { order: `ord_${index + 1}`, amount: 1200 + 50 * index, reason, userToken: USER_TOKEN },
    createScript: () => createScript(index),
  }
}

/** The bank fails once or twice before it refunds, and settles after one look or two. */
function createScript(index: number): Script {
  const failures = 1 + (index % 2)
  const looks = 1 + (index % 3 === 0 ? 1 : 0)
  return ({ name, count }) => {
    if (name === 'model') return { ms: 25, turn: { text: 'Yes, it is due.' } }
    if (name === 'look_up') return { value: { name: `Customer ${index}`, tier: index % 2 === 0 ? 'gold' : 'plain' } }
    if (name === 'score') return { value: 7 }
    if (name === 'audit') return { value: undefined }
    if (name.startsWith('GET /orders/')) return { ms: 20, value: { id: name.slice(12), total: 1200 + 50 * index } }
    if (name === 'POST /refunds')
      return count <= failures ? { ms: 20, status: 503, fails: 'busy' } : { ms: 20, value: { id: `re_${index}`, state: 'pending' } }
    if (name.startsWith('GET /refunds/')) return { ms: 12, value: { state: count < looks ? 'pending' : 'settled' } }
    if (name === 'POST /ledger') return { ms: 12, value: { ok: true } }
    if (name === 'POST /notices') return { ms: 20, value: { sent: true } }
    return { value: { ok: true } }
  }
}
