import { expect, it } from 'vitest'
import { confirmChange } from '../../src/cli/confirm-change.ts'

const terminalThatSays = (answer: boolean, asked: string[] = []): Parameters<typeof confirmChange>[3] =>
  ({ isInteractive: true, confirm: async (question: string) => (asked.push(question), answer) }) as Parameters<typeof confirmChange>[3]

it('asks at a terminal, and goes on if the answer is yes', async () => {
  const asked: string[] = []
  await confirmChange('Remove 2 runs for good?', 'Removed nothing', {}, terminalThatSays(true, asked))
  expect(asked).toEqual(['Remove 2 runs for good?'])
})

it('stops if the answer is no', async () => {
  await expect(confirmChange('Remove 2 runs for good?', 'Removed nothing', {}, terminalThatSays(false))).rejects.toMatchObject({
    code: 'GOLDENRUN_UNCONFIRMED',
    message: 'Removed nothing.',
  })
})

it('does not ask with --yes', async () => {
  const asked: string[] = []
  await confirmChange('Remove 2 runs for good?', 'Removed nothing', { yes: true }, terminalThatSays(false, asked))
  expect(asked).toEqual([])
})
