import type { Context } from '../../bench/verdicts/agents/context.ts'

/** An agent in the world of the bench of verdicts. */
export type SmallAgent = (input: unknown, context: Context) => Promise<unknown>

/** Asks the world. */
export const post = (context: Context, path: string, body: object): Promise<Response> =>
  fetch(`${context.url}/${path}`, { method: 'POST', body: JSON.stringify(body) })

/** Pays, and writes it down. */
export const pay: SmallAgent = async (_input, context) => {
  const [key, trace] = [crypto.randomUUID(), crypto.randomUUID()]
  const from = Date.now()
  await post(context, 'payments', { key, trace })
  await post(context, 'ledger', { key, from, to: Date.now() })
  return { paid: true }
}
