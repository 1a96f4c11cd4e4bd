import { expect, it } from 'vitest'
import { tool } from '../../src/run/tool.ts'
import { record } from '../support/recordings.ts'
import { runCommand, withoutTimes } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'
const refund = tool('refund', { effect: 'write', idempotencyKey: ({ order }) => order }, async ({ order }: { order: string }) => order)
const sendEmail = tool('send_email', { effect: 'write' }, async ({ text }: { text: string }) => text.length)

it('lists the side effects that several runs made', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const agent = async (): Promise<void> => {
    await refund({ order: 'ord_1' })
    await sendEmail({ text: 'Your money is on its way.' })
  }
  const first = await record(store, { input: {}, agentVersion: '1.4.0' }, agent)
  const second = await record(store, { agent: 'triage', input: {} }, async () => refund({ order: 'ord_1' }))
  await record(store, { input: {} }, async () => refund({ order: 'ord_2' }))

  const { status, stdout, stderr } = await runCommand(project.path, ['list', '--repeated-effects'])
  expect(withoutTimes(stdout)).toMatchInlineSnapshot(`
    "Side effects in .goldenrun/runs that several runs made:

    refund, key ord_1: 2 runs
      run                          agent    version  step  made
      YYYYMMDD-hhmmssmmm-xxxxxxxx  support  1.4.0       1  YYYY-MM-DD hh:mm:ssZ
      YYYYMMDD-hhmmssmmm-xxxxxxxx  triage               1  YYYY-MM-DD hh:mm:ssZ
    "
  `)
  expect([status, stderr]).toEqual([0, ''])

  const json = await runCommand(project.path, ['list', '--repeated-effects', '--json'])
  expect(JSON.parse(json.stdout)).toEqual({
    effects: [
      {
        effect: 'refund',
        by: 'key',
        key: 'ord_1',
        runs: [
          { id: first, agent: 'support', agentVersion: '1.4.0', at: expect.any(String), step: 1 },
          { id: second, agent: 'triage', at: expect.any(String), step: 1 },
        ],
      },
    ],
    unreadable: [],
    more: false,
  })

  const none = await runCommand(project.path, ['list', '--repeated-effects', '--agent', 'triage'])
  expect(none.stdout).toBe('No side effect in .goldenrun/runs was made by several runs.\n')

  const found = await runCommand(project.path, ['list', '--idempotency-key', 'ord_1', '--json'])
  const { recordings } = JSON.parse(found.stdout) as { recordings: readonly { id: string }[] }
  expect(recordings.map(({ id }) => id)).toEqual([second, first])
})

it('lists so many, those that were repeated last', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  for (const order of ['ord_1', 'ord_1', 'ord_2', 'ord_2']) await record(store, { input: {} }, async () => refund({ order }))
  const { stdout, stderr } = await runCommand(project.path, ['list', '--repeated-effects', '--limit', '1'])
  expect(stdout).toContain('refund, key ord_2: 2 runs')
  expect(stdout).not.toContain('ord_1')
  expect(stderr).toBe('These are the 1 that were repeated last. To see more: --limit 10\n')
})
