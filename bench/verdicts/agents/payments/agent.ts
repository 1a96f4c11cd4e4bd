import { checkpoint, tool } from 'goldenrun'
import { visitAccount } from '../account.ts'
import type { Context } from '../context.ts'
import { connect } from './bank.ts'
import { ACCOUNT, CLAIM_MS, FLAGS, LOOKS, NOTIFY_LIMIT_MS, PAUSE_MS, RECIPIENT, TRIES } from './config.ts'
import { decide } from './decide.ts'
import { headers } from './headers.ts'
import { retry } from './retry.ts'

/** Which order is to be refunded. */
export interface PaymentInput {
  readonly order: string
  readonly amount: number
  readonly reason: string
  /** Says whose order it is. */
  readonly userToken: string
}

/** Refunds an order once, however often it has to ask, writes that down, and tells who has to know. */
export async function agent({ order, amount, reason, userToken }: PaymentInput, context: Context): Promise<unknown> {
  await visitAccount(context, headers, userToken)
  const bank = connect(context.url)
  const audit = tool('audit', { effect: 'write' }, (args: object): Promise<void> => context.call('audit', args))
  const lookUp = tool('look_up', { effect: 'read' }, (...args: unknown[]): Promise<unknown> => context.call('look_up', ...args))
  const score = tool('score', { effect: 'read' }, (args: object): Promise<number> => context.call('score', args))

  const asked = Date.now()
  const request = crypto.randomUUID()
  const customer = await lookUp(order)
  const bought = await bank('GET', `/orders/${order}?request=${request}`)
  if (FLAGS.score) await score({ order })
  if (!(await decide(context.url, bought, reason))) return { refunded: false }

  const key = crypto.randomUUID()
  const started = Date.now()
  const body = { order, amount, account: ACCOUNT, claim: started + CLAIM_MS }
  const refund = await retry(TRIES, () => bank('POST', '/refunds', { key, body }))
  reach('refunded', { refund: refund['id'] })
  let state = refund['state']
  for (let look = 0; look < LOOKS && state !== 'settled'; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    const latest = await bank('GET', `/refunds/${String(refund['id'])}`)
    state = latest['state']
  }
  const settled = Date.now()
  const entry = crypto.randomUUID()
  const booking = { refund: refund['id'], amount, asked, settled, day: new Date(settled).toISOString().slice(0, 10) }
  await bank('POST', '/ledger', { key: entry, body: booking })
  await audit({ request, entry, customer, at: Math.floor(settled / 1000) })
  if (FLAGS.notify) {
    const notice = bank('POST', '/notices', { body: { to: RECIPIENT, request, text: `Refunded ${amount}.` } })
    await Promise.race([notice, new Promise((resolve) => setTimeout(resolve, NOTIFY_LIMIT_MS))])
  }
  reach('told', { state })
  return { refunded: true, id: refund['id'], state, request, tookMs: settled >= asked }

  function reach(name: string, told: unknown): void {
    checkpoint(name, told)
    context.reached(name, told)
  }
}
