import type { Program, ToolStatement } from './program.ts'

/**
 * The agent that is recorded: the model is asked until it answers (a 429, a 500, then a stream that calls five tools), the tools race, one more
 * races a sleep, two polls with equal arguments answer differently, and the model sums up.
 */
export const baseProgram: Program = [
  { kind: 'model', id: 'ask', prompt: 'Look into it.', told: false, retries: 2 },
  { kind: 'checkpoint', id: 'asked' },
  { kind: 'clock', id: 'unused-clock' },
  { kind: 'clock', id: 'opened' },
  { kind: 'random', id: 'unused-random' },
  { kind: 'random', id: 'nonce' },
  { kind: 'tool', id: 'open', name: 'open_case', arguments: { team: 'support', at: { drawn: 'opened' }, nonce: { drawn: 'nonce' } } },
  {
    kind: 'heartbeat',
    id: 'heartbeat',
    milliseconds: 7,
    body: [
      {
        kind: 'parallel',
        id: 'five',
        branches: [
          [asked('look-a', 'look_up', 0)],
          [asked('look-b', 'look_up', 1)],
          [asked('price', 'get_price', 2)],
          [{ ...asked('reserve', 'reserve', 3), effect: 'write' }],
          [{ ...asked('notify', 'notify', 4), effect: 'write' }],
        ],
      },
      {
        kind: 'race',
        id: 'race',
        branches: [
          [{ kind: 'tool', id: 'quote', name: 'get_quote', arguments: { item: 'lamp', currency: 'CHF' } }],
          [{ kind: 'sleep', id: 'patience', milliseconds: 30 }],
        ],
      },
      { kind: 'checkpoint', id: 'gathered' },
      { kind: 'sleep', id: 'pause', milliseconds: 5 },
      { kind: 'tool', id: 'refund', name: 'refund', arguments: { order: 'ord_1', amount: '42' }, effect: 'write' },
      { kind: 'random', id: 'unused-draw' },
      { kind: 'tool', id: 'poll', name: 'get_status', arguments: { order: 'ord_1', view: 'full' } },
      { kind: 'clock', id: 'unused-time' },
      { kind: 'tool', id: 'poll-again', name: 'get_status', arguments: { order: 'ord_1', view: 'full' } },
    ],
  },
  { kind: 'clock', id: 'closed' },
  { kind: 'model', id: 'sum', prompt: 'Sum up.', told: true, retries: 2 },
  { kind: 'tool', id: 'close', name: 'close_case', arguments: { reason: 'done', at: { drawn: 'closed' } } },
  { kind: 'clock', id: 'archived' },
  { kind: 'tool', id: 'archive', name: 'archive', arguments: { to: 'attic', at: { drawn: 'archived' } } },
]

/** What the model calls in its answer to `ask`, in this order. */
export const askedCalls: readonly { readonly name: string; readonly args: { readonly id: string; readonly depth: string } }[] = [
  { name: 'look_up', args: { id: 'a', depth: 'full' } },
  { name: 'look_up', args: { id: 'b', depth: 'full' } },
  { name: 'get_price', args: { id: 'c', depth: 'full' } },
  { name: 'reserve', args: { id: 'd', depth: 'full' } },
  { name: 'notify', args: { id: 'e', depth: 'full' } },
]

function asked(id: string, name: string, index: number): ToolStatement {
  return { kind: 'tool', id, name, arguments: { item: { asked: index } } }
}
