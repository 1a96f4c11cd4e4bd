/** A tool as the model is told of it. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, object>>
    readonly required: string[]
    readonly additionalProperties: false
  }
}

const ORDER_ID = { type: 'string', description: 'The number of the order, such as ord_1234.' }

/** The support agent's tools. */
export const TOOL_DEFINITIONS: readonly ToolDefinition[] = [
  {
    name: 'get_order',
    description: 'Look up an order: what was bought, what was charged, and where it is.',
    parameters: { type: 'object', properties: { order_id: ORDER_ID }, required: ['order_id'], additionalProperties: false },
  },
  {
    name: 'cancel_order',
    description: 'Cancel an order that has not been shipped yet.',
    parameters: { type: 'object', properties: { order_id: ORDER_ID }, required: ['order_id'], additionalProperties: false },
  },
  {
    name: 'refund_order',
    description: 'Refund an order to the card that paid for it.',
    parameters: {
      type: 'object',
      properties: { order_id: ORDER_ID, amount: { type: 'integer', description: 'How much to refund, in cents.' } },
      required: ['order_id', 'amount'],
      additionalProperties: false,
    },
  },
  {
    name: 'find_refund',
    description: 'Find the refund of an order, if there is one.',
    parameters: { type: 'object', properties: { order_id: ORDER_ID }, required: ['order_id'], additionalProperties: false },
  },
]
