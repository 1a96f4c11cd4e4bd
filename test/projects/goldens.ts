import type { ServerResponse } from 'node:http'
import type { Turn } from '../../examples/world/turn.ts'
import type { ProjectEdit } from '../support/packed-project.ts'

/** A golden of the projects, and the world that its run is recorded in. */
export interface GoldenToRecord {
  readonly name: string
  readonly description: string
  /** The agent's name in goldens, and the file and export of it. */
  readonly agent: { readonly name: string; readonly module: string; readonly exported: string }
  readonly input: Readonly<Record<string, string>>
  /** What the model says. */
  readonly turns: readonly Turn[]
  /** A place of the package that is another when it is recorded: the golden diverges from what is committed. */
  readonly edit?: ProjectEdit
}

const support = { name: 'support', module: './src/agent.ts', exported: 'supportAgent' } as const
const lookup = { name: 'lookup', module: './src/lookup.ts', exported: 'lookupAgent' } as const

export const goldens: readonly GoldenToRecord[] = [
  {
    name: 'cancel-unshipped',
    description: 'An order that has not shipped is cancelled',
    agent: support,
    input: { ticket: 'Please cancel ord_2.' },
    turns: [
      { toolCalls: [{ name: 'get_order', args: { order_id: 'ord_2' } }] },
      { toolCalls: [{ name: 'cancel_order', args: { order_id: 'ord_2' } }] },
      { text: 'Your office chair is cancelled, and you are not charged.' },
    ],
  },
  {
    name: 'unknown-order',
    description: 'An order that nobody ordered is not found',
    agent: support,
    input: { ticket: 'Where is ord_9?' },
    turns: [{ toolCalls: [{ name: 'get_order', args: { order_id: 'ord_9' } }] }, { text: 'I cannot find ord_9, sorry.' }],
  },
  {
    name: 'where-is-it',
    description: 'A customer is told that the order has shipped',
    agent: support,
    input: { ticket: 'Where is ord_1?' },
    turns: [{ toolCalls: [{ name: 'get_order', args: { order_id: 'ord_1' } }] }, { text: 'Your desk lamp is on its way.' }],
    edit: { file: 'src/prompt.ts', from: 'two friendly', to: 'two formal' },
  },
  {
    name: 'busy-shop',
    description: 'An order is looked up again where the shop is busy',
    agent: lookup,
    input: { id: 'ord_1' },
    turns: [],
  },
]

/** The shop that `lookup` asks: busy twice. */
export function answerOrder(path: string, response: ServerResponse): void {
  const isBusy = !path.endsWith('attempt=3')
  response.writeHead(isBusy ? 503 : 200, { 'content-type': 'application/json' })
  response.end(isBusy ? '{"error":"busy"}' : '{"id":"ord_1","item":"Desk lamp"}')
}
