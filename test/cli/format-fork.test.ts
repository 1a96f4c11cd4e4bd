import { expect, it } from 'vitest'
import { formatFork } from '../../src/cli/fork/format-fork.ts'
import { tellPosition } from '../../src/divergence/run-place.ts'
import { tool } from '../../src/run/tool.ts'
import { fork } from '../../src/travel/fork.ts'
import { recordRun } from '../support/record-run.ts'

const look = tool('look', { effect: 'read' }, async (id: string) => id)

it('says where a fork departed, in order, and names an outcome without a step', async () => {
  const { trace } = await recordRun(async () => [await look('a'), await look('b')])
  const run = await fork(trace, async () => [await look('a'), await look('c'), await look('d')], { answers: { look: 'found' } })
  const lines = formatFork(run)
  expect(lines.filter((line) => line.startsWith('Departed'))).toEqual(['Departed at step 2 (input: args).', 'Departed at the outcome.'])
})

it('says where a fork departed before the first step', async () => {
  const { trace } = await recordRun(() => look('a'))
  const other = tool('other', { effect: 'read' }, async (id: string) => id)
  const run = await fork(trace, async () => [await other('z')], { answers: { other: 'found' } })
  expect(formatFork(run).find((line) => line.startsWith('Departed'))).toBe('Departed at the call before the first step (unexpected call).')
})

it('tells positions among the recorded steps', () => {
  const told = [
    { step: 3, position: 'at' },
    { step: 3, position: 'after' },
    { step: 0, position: 'after' },
  ] as const
  expect(told.map(tellPosition)).toEqual(['step 3', 'after step 3', 'before the first step'])
})
