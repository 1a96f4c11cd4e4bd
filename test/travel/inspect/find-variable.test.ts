import { expect, it } from 'vitest'
import type { Json } from '../../../src/trace/json.ts'
import { findChanges } from '../../../src/travel/inspect/find-variable.ts'
import type { InspectedFrame, InspectedScope, InspectedStep } from '../../../src/travel/inspect/inspected-run.ts'

const at = { function: 'work', file: 'src/agent.ts', line: 3, column: 9 }

function frame(...scopes: readonly InspectedScope['variables'][]): InspectedFrame {
  return { ...at, scopes: scopes.map((variables) => ({ kind: 'block', variables })) }
}

function stepWith(step: number, frames: readonly InspectedFrame[], after?: readonly InspectedFrame[]): InspectedStep {
  return { step, boundary: 'tool', name: 'look_up', frames, waiting: [], ...(after === undefined ? {} : { after }) }
}

const order = {
  items: [{ status: 'sent' }, { $: { more: 8 } }, { status: 'open' }],
  'next day': null,
  '"$"': 12,
  labels: {
    $: {
      map: [
        ['red', 1],
        [{ id: 7 }, 2],
        [404, 3],
      ],
    },
  },
  queue: { $: { class: 'Queue', items: ['first', 'second'] } },
} as const satisfies Json

it.each<[path: string, value: Json | undefined]>([
  ['order.items[0].status', 'sent'],
  // What was left out counts.
  ['order.items[9].status', 'open'],
  ['order.items[4]', undefined],
  ['order["next day"]', null],
  ["order['$']", 12],
  ['order.labels.red', 1],
  ['order.labels[\'{"id":7}\']', 2],
  ['order.labels[404]', 3],
  ['order.queue[1]', 'second'],
  ['order.constructor', undefined],
  ['order.missing.status', undefined],
  ['order["next day"].status', undefined],
  ['other', undefined],
])('reads %s', (path, value) => {
  const found = findChanges({ steps: [stepWith(1, [frame({ order })])] }, path)
  expect(found).toEqual(value === undefined ? [] : [{ step: 1, moment: 'before', frame: at, value }])
})

it('tells each value that differs from the one before, of the innermost variable', () => {
  const steps = [
    stepWith(1, [frame({ turn: 1 }, { turn: 'outer' })], [frame({ turn: 1 })]),
    stepWith(2, [frame({ other: 0 })], [frame({ other: 0 }), frame({ turn: 2 })]),
    stepWith(3, [frame({ turn: 1 })]),
  ]
  const changes = findChanges({ steps }, 'turn').map(({ step, moment, value }) => [step, moment, value])
  expect(changes).toEqual([
    [1, 'before', 1],
    [2, 'after', 2],
    [3, 'before', 1],
  ])
})
