import { replay } from 'goldenrun/vitest'
import { expect, test, vi } from 'vitest'
import { supportAgent } from '../src/agent.ts'

// By the path of tsconfig.json that the agent imports it by.
vi.mock('@/prompt', () => ({ prompt: 'Say no.' }))

test('a mocked prompt diverges as a changed one does', async () => {
  const run = await replay('cancel-unshipped', supportAgent)
  expect(run).toDivergeAt(1, 'input')
  expect(run.divergences[0]?.parts).toEqual(['system-prompt'])
})
