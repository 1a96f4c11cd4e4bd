import { expect, it, vi } from 'vitest'
import { spawnCommand } from '../support/run-command.ts'
import { checked, createVerifyProject, startKnowingModel } from './verify-project.ts'

vi.stubEnv('OPENAI_API_KEY', 'sk-test')
vi.stubEnv('CI', '')

it('compares with the code of a commit, from the same step on', async () => {
  const provider = await startKnowingModel()
  await using project = await createVerifyProject(provider)
  const { status, stdout, stderr } = await spawnCommand(project.path, ['verify', 'refund', ...checked, '--base', 'HEAD'], {
    ...project.env,
    OPENAI_API_KEY: 'sk-test',
    CI: '',
  })
  expect(stderr).toBe('')
  expect(stdout).toContain('20 of 20 samples passed')
  expect(stdout).toContain('  With the code of HEAD: 0 of 20 passed.\n')
  // Newcombe (1998), method 10: 1 - √2 × 0.1611, as the Wilson interval of 20 of 20 is 0.8389 to 1.
  expect(stdout).toContain('  Difference: +100 percentage points, 95 % interval +77 to +100: better.\n')
  expect(status).toBe(0)
  expect(project.leftovers()).toEqual([])
  await provider.close()
})
