import { expect, it } from 'vitest'
import { carryOver } from '../../src/replay/goldens/carry-over.ts'

const uuids = ['0b9f7c1e-1111', '5d2e8a90-2222'] as const

it.each([
  ['an id', { paused: uuids[0] }, { paused: uuids[1] }, { paused: uuids[0], approved: true }, { paused: uuids[1], approved: true }],
  ['an id in a list', { open: [{ id: uuids[0] }] }, { open: [{ id: uuids[1] }] }, [uuids[0]], [uuids[1]]],
  ['an id that is the output', uuids[0], uuids[1], uuids[0], uuids[1]],
  ['no text within another', { paused: uuids[0] }, { paused: uuids[1] }, `go on with ${uuids[0]}`, `go on with ${uuids[0]}`],
  ['no short word', { status: 'open' }, { status: 'done' }, 'open', 'open'],
  ['no text that stayed', { note: 'approved' }, { note: 'approved' }, 'approved', 'approved'],
  ['nothing where the output has another shape', { paused: uuids[0] }, 'failed', uuids[0], uuids[0]],
])('carries over %s', (_, before, now, input, expected) => {
  expect(carryOver(input, [{ before, now }])).toEqual(expected)
})
