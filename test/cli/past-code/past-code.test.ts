import { existsSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { runCommand } from '../../support/run-command.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { agentSaying, createGoodAndBad } from './past-project.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

it('reports what a commit does differently, and does not advise to change the golden', async () => {
  await using project = await createGoodAndBad()
  await project.write('agent.ts', agentSaying('Hello'))
  const { status, stdout, stderr } = await project.run(['replay', '--ref', 'bad'])
  expect(stdout).toMatchInlineSnapshot(`
    "Failed to replay "greet": the outcome diverged.

    >      end

    The agent ended differently from the recorded run.
        output
          expected  "Hello Ada"
          received  "Goodbye Ada"

    1 trace replayed: 1 not held.
    "
  `)
  expect([stderr, status]).toEqual(['', 1])
  expect(project.leftovers()).toEqual([])
})

it('refuses an unknown ref with the nearest, an option instead of a ref, and --install alone', async () => {
  await using project = await createGoodAndBad()
  const replay = (...args: readonly string[]): ReturnType<typeof runCommand> => runCommand(project.path, ['replay', 'greet', ...args])
  expect(await replay('--ref', 'mian')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'There is no commit "mian" in this repository. The nearest: main, bad, good. To see all: git branch --all; git tag\n',
  })
  expect((await replay('--ref=--exec=touch pwned')).stderr).toContain('There is no commit "--exec=touch pwned" in this repository.')
  expect((await replay('--ref=good; touch pwned')).stderr).toContain('There is no commit "good; touch pwned" in this repository.')
  expect(existsSync(project.resolve('pwned'))).toBe(false)
  expect((await replay('--install')).stderr).toContain('error: --install requires --ref or --bisect\n')
  expect((await replay('--ref', 'good', '--bisect', 'good..bad')).stderr).toContain("cannot be used with option '--bisect <good..bad>'")
  expect(project.leftovers()).toEqual([])
})

it('says where there is no repository, and where there is no git', async () => {
  await using project = await createGoodAndBad()
  await using elsewhere = await createTemporaryDirectory()
  await elsewhere.write('golden-traces/greet.jsonl', await project.read('golden-traces/greet.jsonl'))
  expect(await runCommand(elsewhere.path, ['replay', 'greet', '--ref', 'good'])).toEqual({
    status: 2,
    stdout: '',
    stderr: `${elsewhere.path} is not in a git repository, so there are no commits.\n`,
  })
  expect(await runCommand(project.path, ['replay', 'greet', '--ref', 'good'], { PATH: elsewhere.path })).toEqual({
    status: 2,
    stdout: '',
    stderr: 'git could not be started: spawnSync git ENOENT. Install it, or add it to PATH.\n',
  })
})
