import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { renderReport } from '../../src/divergence/create-report.ts'
import { tool } from '../../src/index.ts'
import { replay } from '../../src/replay.ts'
import { toRecordedError } from '../../src/trace/recorded-error.ts'
import { recordRun } from '../support/record-run.ts'

const look = tool('look', { effect: 'read' }, async (id: string) => id)
const save = tool('save', { effect: 'write' }, async (id: string) => id)
const plain = { color: false, width: 160 }

async function agent(file: string): Promise<string> {
  await look('a')
  const text = file === '' ? '' : await readFile(file, 'utf8')
  await save(`a${text}`)
  return await look('b')
}

it('tells the error that the agent got, and its line, where that is why it made no more calls', async () => {
  const { trace } = await recordRun(() => agent(''))
  const run = await replay(trace, () => agent('/nowhere/at-all.txt'))
  const error = run.outcome.status === 'threw' ? toRecordedError(run.outcome.error) : undefined
  expect(error).toMatchObject({ name: 'Error', code: 'ENOENT' })
  expect(run.divergences.map(({ cause, step }) => [cause, step])).toEqual([
    ['missing-call', 2],
    ['missing-call', 3],
    ['outcome', 3],
  ])
  const [first] = run.divergences
  expect(first).toMatchObject({
    received: { error: { name: 'Error', message: error?.message, code: 'ENOENT' } },
    site: { file: 'test/replay/agent-failure.test.ts', line: 16 },
  })
  const report = renderReport(run, plain)
  expect(report).toContain('The recorded run made this call, but the agent did not: it failed before.')
  expect(report).toContain(`received  no such call: it threw Error: ${error?.message}`)
})

it('tells no error where the recorded run threw it, too, or the agent returned', async () => {
  const fails = async (saves: boolean): Promise<void> => {
    await look('a')
    if (saves) await save('a')
    throw new Error('as ever')
  }
  const { trace } = await recordRun(() => fails(true), { fails: true })
  const [missing] = (await replay(trace, () => fails(false))).divergences
  expect(missing).toMatchObject({ cause: 'missing-call', step: 2 })
  expect(missing).not.toHaveProperty('received')
  const returned = await recordRun(() => agent(''))
  const [first] = (await replay(returned.trace, () => look('a'))).divergences
  expect(first).toMatchObject({ cause: 'missing-call', step: 2 })
  expect(first).not.toHaveProperty('received')
})

it('names the line that threw where the agent made all calls and then failed', async () => {
  const { trace } = await recordRun(() => agent(''))
  const fails = async (): Promise<never> => {
    await agent('')
    throw new TypeError('no such customer')
  }
  const [outcome, ...others] = (await replay(trace, fails)).divergences
  expect(others).toEqual([])
  expect(outcome).toMatchObject({ cause: 'outcome', received: { error: { name: 'TypeError' } } })
  expect(outcome?.site).toMatchObject({ file: 'test/replay/agent-failure.test.ts', line: lineOf("new TypeError('no such customer')") })
})

function lineOf(text: string): number {
  return (
    readFileSync(import.meta.filename, 'utf8')
      .split('\n')
      .findIndex((line) => line.includes(text)) + 1
  )
}

it('takes no line of a recorded message for a line of the agent', async () => {
  const read = tool('read', { effect: 'read' }, async (): Promise<string> => {
    throw new Error('denied\n    at f (/etc/passwd:1:1)')
  })
  const ask = async (catches: boolean): Promise<string> => (catches ? await read().catch(() => 'nothing') : await read())
  const { trace } = await recordRun(() => ask(true))
  const [first] = (await replay(trace, () => ask(false))).divergences
  expect(first?.cause).toBe('outcome')
  expect(first?.site?.file).not.toBe('/etc/passwd')
})
