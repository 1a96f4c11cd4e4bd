import { expect, it, vi } from 'vitest'
import { createGoodAndBad } from './past-project.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

it('holds a golden with the code of a commit, whatever the current code does', async () => {
  await using project = await createGoodAndBad()
  await project.write('agent.ts', 'this is not a program')
  expect(await project.replay('--ref', 'good')).toEqual({
    status: 0,
    stdout: '1 trace replayed: 1 held.\n',
    stderr: '',
  })
  expect(await project.read('agent.ts')).toBe('this is not a program')
  expect(project.leftovers()).toEqual([])
})
