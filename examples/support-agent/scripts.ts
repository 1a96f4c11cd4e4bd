import type { NormalRequest } from '../world/normal-request.ts'
import { playList } from '../world/play-list.ts'
import type { Turn } from '../world/turn.ts'

/** A ticket, and what the model makes of it. */
export interface Scenario {
  readonly ticket: string
  readonly turns: readonly Turn[]
}

/** The refund that was booked twice: the first answer of the payments API got lost on its way. */
export const REFUND_LOST_ORDER: Scenario = {
  ticket: 'I was charged for ord_1001 but it never arrived, please refund',
  turns: [
    { toolCalls: [{ name: 'get_order', args: { order_id: 'ord_1001' } }] },
    { toolCalls: [{ name: 'refund_order', args: { order_id: 'ord_1001', amount: 4900 } }] },
    {
      text: 'I am sorry that your desk lamp never arrived. I have refunded the $49.00 for ord_1001, and the money will be back on your card within five working days.',
    },
  ],
}

/** An order that is packed and not wanted any more. */
export const CANCEL_UNSHIPPED: Scenario = {
  ticket: 'Please cancel ord_1002, I ordered the chair in the wrong colour.',
  turns: [
    { text: 'Let me look at that order.', toolCalls: [{ name: 'get_order', args: { order_id: 'ord_1002' } }] },
    { toolCalls: [{ name: 'cancel_order', args: { order_id: 'ord_1002' } }] },
    { text: 'Your office chair was not shipped yet, so I have cancelled ord_1002 for you. Your card is not charged.' },
  ],
}

const SCENARIOS: readonly Scenario[] = [REFUND_LOST_ORDER, CANCEL_UNSHIPPED]

/** A script for any number of tickets at once: each conversation is answered by the scenario whose ticket it opens with. */
export function createSupportScript(scenarios: readonly Scenario[] = SCENARIOS): (request: NormalRequest) => Turn {
  const plays = new Map(scenarios.map(({ ticket, turns }) => [ticket, playList(turns)]))
  return (request) => {
    const ticket = request.messages[0]?.text ?? ''
    const play = plays.get(ticket)
    if (play === undefined) throw new Error(`No scenario opens with the ticket ${JSON.stringify(ticket)}.`)
    return play(request)
  }
}
