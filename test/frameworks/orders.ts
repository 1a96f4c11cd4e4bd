import type { Turn, TurnToolCall } from '../../examples/world/turn.ts'

/** The two orders that the model of these tests asks for at once. */
export const both: readonly TurnToolCall[] = [
  { name: 'get_order', args: { id: 'ord_1' } },
  { name: 'get_order', args: { id: 'ord_2' } },
]

/** What that model says. */
export const turns: readonly Turn[] = [{ toolCalls: both }, { text: 'One is packed, one is on its way.' }]

/** What a golden says was called: each tool once, run as a wrapped tool. */
export const bothCalled: readonly (readonly [string, unknown, string])[] = both.map(({ name, args }) => [name, args, 'ran'])

/** The verdict on an agent that spells the id of an order differently: the first call of the tool. */
export const misspelt: { cause: string; step: number; name: string; parts: string[] } = {
  cause: 'input',
  step: 2,
  name: 'get_order',
  parts: ['args'],
}
