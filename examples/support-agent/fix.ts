/** An edit of one line of a file. */
export interface Edit {
  /** A file beside this one. */
  readonly file: string
  readonly from: string
  readonly to: string
}

/**
 * The fix of the incident: before the retry books another refund, it asks whether the first one was booked after all.
 */
export const FIX: Edit = {
  file: 'run-tool.ts',
  from: 'return withRetry(2, () => refundOrder(args))',
  to: 'return withRetry(2, () => refundOrder(args), { unless: () => findRefund({ order_id: args.order_id }) })',
}
