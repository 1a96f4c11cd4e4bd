import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createReport } from '../../src/divergence/create-report.ts'
import { checkpoint, tool } from '../../src/index.ts'
import { replay } from '../../src/replay.ts'
import { recordRun } from '../support/record-run.ts'

const look = tool('look', { effect: 'read' }, async (id: string) => id)
const never = (): Promise<void> => new Promise(() => undefined)

/** Waits at a given place. */
function agent(waitsBefore?: 'checkpoint' | 'call') {
  return async (): Promise<string> => {
    await look('a') // line: look
    if (waitsBefore === 'checkpoint') await never()
    checkpoint('found', {})
    if (waitsBefore === 'call') await never()
    return await look('b')
  }
}

/** The last call before the agent waits. */
const lineOfLook =
  readFileSync(import.meta.filename, 'utf8')
    .split('\n')
    .findIndex((line) => line.endsWith('// line: look')) + 1

const { trace } = await recordRun(agent())
const stopsWaiting = 'Correct what the agent waits for: a run that does not end cannot be accepted into a golden.'

it('says that an agent waits, and for what, where it therefore makes no more calls', async () => {
  const run = await replay(trace, agent('call'))
  expect(run.divergences.map(({ cause, step }) => [cause, step])).toEqual([
    ['missing-call', 2],
    ['outcome', 2],
  ])
  expect(createReport(run)).toMatchObject({
    explanation: 'The recorded run made this call, but the agent did not: it is waiting for something that never happens.',
    facts: [
      { received: 'no such call: it is waiting for a promise that nothing known will settle' },
      { kind: 'site', site: { line: lineOfLook } },
    ],
    notes: [],
    advice: [{ words: stopsWaiting }],
  })
})

it('says so in a note where a checkpoint is missing first', async () => {
  const run = await replay(trace, agent('checkpoint'))
  expect(run.divergences.map(({ cause, step }) => [cause, step])).toEqual([
    ['checkpoint', 1],
    ['missing-call', 2],
    ['outcome', 2],
  ])
  expect(createReport(run)).toMatchObject({
    explanation: 'The recorded run reached this checkpoint, but the agent did not.',
    notes: ['Note: the agent did not end: it is waiting for a promise that nothing known will settle.'],
    advice: [{ words: stopsWaiting }],
  })
})

it('says that the trace lacks the answer that an agent waits for', async () => {
  const rows = trace.rows.filter((row) => !(row.kind === 'return' && row.step === 1))
  const run = await replay({ ...trace, rows }, agent())
  expect(createReport(run).notes).toEqual(['Note: the agent did not end: it is waiting for step 1, look, whose answer was not recorded.'])
})
