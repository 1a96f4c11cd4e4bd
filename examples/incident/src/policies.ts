import { setTimeout as sleep } from 'node:timers/promises'
import { findRefund, refundOrder, type RefundArguments } from './tools.ts'

/** Refunds an order, even if the connection to the shop breaks. */
export type Refund = (args: RefundArguments) => Promise<unknown>

/** In production: the shop's API drops a connection now and then, so it is called again. */
export const again: Refund = async (args) => {
  try {
    return await refundOrder(args)
  } catch (error) {
    // The connection broke.
    if (!(error instanceof TypeError)) throw error
    return await refundOrder(args)
  }
}

/** Waits before it calls again. */
export const later: Refund = (args) => refundOrder(args).catch(() => sleep(30_000).then(() => refundOrder(args)))

/** Does not call again. */
export const never: Refund = (args) => refundOrder(args)

/** Asks first whether the refund was booked after all. */
export const askFirst: Refund = (args) => refundOrder(args).catch(async () => (await findRefund(args)) ?? refundOrder(args))

/** A tool call that the model asks for. */
export interface ToolCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

type Run = (call: ToolCall) => Promise<string>

/** Decides which of the model's tool calls are made. */
export type Policy = (run: Run) => Run

/** In production: every call that the model asks for is made. */
export const always: Policy = (run) => run

/** A call that was made before is not made again: the model is told to answer. */
export const once: Policy = (run) => {
  const made = new Set<string>()
  return async (call) => {
    const key = `${call.function.name} ${call.function.arguments}`
    if (made.has(key)) throw new Error('This was looked up before. Answer the customer with what you know.')
    made.add(key)
    return await run(call)
  }
}
