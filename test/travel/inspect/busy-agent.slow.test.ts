import { expect, it } from 'vitest'
import { createInspectedProject, stepOf, variable } from './inspected-project.ts'

// A function that makes its call in the middle of a long loop: the debugger must not wait at each turn of it.

const agent = `
import { tool } from 'goldenrun'
const look = tool('look', { effect: 'read' }, async ({ at }: { at: number }) => ({ at }))
export async function busy(): Promise<number> {
  let sum = 0
  for (let turn = 0; turn < 3_000_000; turn += 1) {
    sum += turn % 7
    if (turn === 1_000_000) sum += (await look({ at: turn })).at
  }
  const last = await look({ at: sum })
  return last.at
}
`

it('reads a function that loops millions of times around its calls', async () => {
  await using project = await createInspectedProject({ busy: './agent.ts#busy' }, { 'agent.ts': agent })
  await project.record('busy', {})
  const run = await project.inspect(['latest'])
  expect(variable(stepOf(run, 1).frames, 'busy', 'turn')).toBe(1_000_000)
  expect(variable(stepOf(run, 1).after, 'busy', 'turn')).toBe(1_000_000)
  expect(variable(stepOf(run, 2).frames, 'busy', 'sum')).toBe(run.outcome === 'returned' ? sumOf() : undefined)
  expect(stepOf(run, 2).after).toBeUndefined()
})

function sumOf(): number {
  let sum = 1_000_000
  for (let turn = 0; turn < 3_000_000; turn += 1) sum += turn % 7
  return sum
}
