import type { Trace } from '../../../trace/trace.ts'
import { PromoteError } from './promote-error.ts'

/**
 * Checks that runs can be those of one conversation, in this order.
 *
 * @throws PromoteError `GOLDENRUN_PROMOTE_CONVERSATION` if a run occurs twice, belongs to a different agent, or started before its
 * predecessor.
 */
export function checkConversation(traces: readonly Pick<Trace, 'header'>[]): void {
  const ids = traces.map(({ header }) => header.id)
  for (const [index, { header }] of traces.entries()) {
    const before = traces[index - 1]?.header
    if (ids.indexOf(header.id) < index) throw refusal(header.id, 'it is named twice.', 'Name each run of the conversation once.')
    if (before === undefined) continue
    if (before.agent !== header.agent) {
      const problem = `it is a run of the agent "${header.agent}", but ${before.id} is a run of "${before.agent}".`
      throw refusal(header.id, problem, 'All runs of a conversation have to belong to one agent: promote the others separately.')
    }
    if (Date.parse(header.startedAt) < Date.parse(before.startedAt)) {
      const order = traces.map((trace) => trace.header).toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt))
      const problem = `it started at ${header.startedAt}, before ${before.id} (${before.startedAt}), which it would follow.`
      throw refusal(header.id, problem, `Name the runs in the order in which they started: ${order.map(({ id }) => id).join(' ')}`)
    }
  }
}

function refusal(trace: string, problem: string, advice: string): PromoteError {
  return new PromoteError('GOLDENRUN_PROMOTE_CONVERSATION', { trace, problem, advice })
}
