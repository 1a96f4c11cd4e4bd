import { expect, it, vi } from 'vitest'
import { spawnCommand } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { builtCommandsCases, commands, testBuiltCommands } from '../support/built-commands.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

it('has every command that the help lists in its table', async () => {
  await using project = await createTemporaryDirectory()
  const { stdout, stderr, status } = await spawnCommand(project.path, ['--help'])
  expect([status, stderr]).toEqual([0, ''])
  const listed = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name)
  expect(listed).toEqual([...Object.keys(commands), 'help'])
})

// The other commands: commands.slow.test.ts.
testBuiltCommands(builtCommandsCases.slice(5, 7))
