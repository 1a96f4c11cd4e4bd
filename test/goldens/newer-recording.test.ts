import { expect, it } from 'vitest'
import { keepFork } from '../../src/cli/fork/keep-fork.ts'
import { findNewerRecording } from '../../src/goldens/newer-recording.ts'
import { promote } from '../../src/goldens/promote.ts'
import { fork } from '../../src/replay.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { tool } from '../../src/run/tool.ts'
import { record } from '../support/recordings.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'
const look = tool('look', { effect: 'read' }, async ({ of }: { of: string }) => `${of} is packed`)
const agent = async ({ ticket }: { ticket: string }): Promise<string> => await look({ of: ticket })
const recordTicket = (ticket: string): Promise<string> => record(store, { input: { ticket } }, agent)

it('finds the newest recording of the same agent and input, and no other', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const mine = 'ord_1, says ada@example.com'
  await promote(await readTrace(await recordTicket(mine)), { name: 'look' })
  const golden = await readTrace('look')
  expect(await findNewerRecording(golden)).toBeUndefined()

  await recordTicket('When do you open?')
  await record(store, { agent: 'billing', input: { ticket: mine } }, agent)
  expect(await findNewerRecording(golden)).toBeUndefined()

  const again = await recordTicket(mine)
  await recordTicket('Where are you?')
  expect(await findNewerRecording(golden)).toBe(again)
})

it('leaves out forks, whose answers may be invented', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await promote(await readTrace(await recordTicket('ord_1')), { name: 'look' })
  const golden = await readTrace('look')
  const forked = await fork(golden, agent, { at: 1, edit: { answer: 'invented' } })
  const id = await keepFork(forked.toTrace(), store)
  expect((await readTrace(id)).header.forkedFrom).toMatchObject({ id: golden.header.id, step: 1 })
  expect(await findNewerRecording(golden)).toBeUndefined()
})
