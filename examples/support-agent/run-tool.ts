import { checkpoint } from 'goldenrun'
import { cancelOrder, findRefund, getOrder, type RefundArguments, refundOrder } from './tools.ts'
import { withRetry } from './with-retry.ts'

/** A tool call that the model made. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON, as the model printed it. */
  readonly argumentsText: string
}

/** Runs a tool call and gives what the model is told of it: the result as JSON, or what went wrong. */
export async function runToolCall(call: ToolCall): Promise<string> {
  try {
    return JSON.stringify(await runTool(call.name, JSON.parse(call.argumentsText) as RefundArguments))
  } catch (error) {
    return `Error: ${error instanceof Error ? error.message : String(error)}`
  }
}

async function runTool(name: string, args: RefundArguments): Promise<unknown> {
  switch (name) {
    case 'get_order': {
      const order = await getOrder({ order_id: args.order_id })
      checkpoint('order-found', { order })
      return order
    }
    case 'cancel_order': {
      const order = await cancelOrder({ order_id: args.order_id })
      checkpoint('order-cancelled', { order })
      return order
    }
    case 'refund_order': {
      // The payments API drops a connection now and then.
      return withRetry(2, () => refundOrder(args))
    }
    case 'find_refund':
      return findRefund({ order_id: args.order_id })
    default:
      throw new Error(`There is no tool named ${name}.`)
  }
}
