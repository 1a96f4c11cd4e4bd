import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { readRecording } from '../../support/read-recording.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { digest } from '../../../src/replay/traces/digest.ts'
import { decodeTrace } from '../../../src/trace/read.ts'
import { createRecorder } from '../../../src/record/recorder.ts'
import { currentRun } from '../../../src/run/current-run.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { expectClean } from '../../support/replay-clean.ts'

const wait = (delay: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay))
const look = tool('look', {}, async (delay: number) => wait(delay).then(() => 'seen'))
const save = tool('save', { effect: 'write' }, async (text: string) => text)
const stall = (milliseconds: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

/** Records a run with a recorder that is closed as soon as it has ended, as in a script. */
async function recordAndClose(agent: () => Promise<string>): Promise<Trace> {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.path })
  let id = ''
  await recorder.run({ agent: 'agent', input: undefined }, async () => {
    id = currentRun()?.id ?? ''
    return agent()
  })
  await recorder.close()
  return decodeTrace((await readRecording(directory.path, id)).text, 'recording', digest)
}

/** Asks for so many turns of the event loop, one after another, and makes a call. */
async function saveAfter(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  await save('late')
}

it('gives a run no turn of the event loop that its recording has none of', async () => {
  const agent = async (): Promise<string> => {
    const seen = await look(2)
    void saveAfter(50)
    return seen
  }
  const trace = await recordAndClose(agent)
  expect([rowsOf(trace, 'closed').map(({ turns = Infinity }) => turns < 50), trace.steps.map(({ name }) => name)]).toEqual([
    [true],
    ['look'],
  ])
  await expectClean(trace, agent)
})

it('is red where the agent now makes a call before that turn', async () => {
  let isEager = false
  const agent = async (): Promise<string> => {
    const seen = await look(2)
    saveAfter(isEager ? 0 : 50).catch(() => undefined)
    return seen
  }
  const trace = await recordAndClose(agent)
  isEager = true
  const { divergences } = await replay(trace, agent)
  expect(divergences.map(({ cause, name }) => [cause, name])).toEqual([['unexpected-call', 'save']])
})

it('fires no timer after the end that was overdue when the recorder was closed', async () => {
  let isBusy = true
  const agent = async (): Promise<string> => {
    setTimeout(() => void save('still waiting'), 10)
    void look(1).then(() => (isBusy ? stall(60) : undefined))
    return look(2)
  }
  const trace = await recordAndClose(agent)
  isBusy = false
  expect(trace.steps.map(({ name }) => name)).toEqual(['look', 'look'])
  await expectClean(trace, agent)
})

it('waits for turns that a run left behind while its recorder is open', async () => {
  const agent = async (): Promise<string> => {
    const seen = await look(2)
    void saveAfter(50)
    return seen
  }
  const { trace } = await recordRun(agent, { consume: () => wait(80) })
  expect(trace.steps.map(({ name }) => name)).toEqual(['look', 'save'])
  await expectClean(trace, agent)
})
