import { existsSync, readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { record } from '../support/recordings.ts'
import { runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

vi.setConfig({ testTimeout: 120_000 })

const agentModule = `
import fs from 'node:fs'
export async function agent() {
  await fs.promises.writeFile('report.txt', 'good')
  fs.appendFileSync('agent.log', 'one line\\n')
  return 'done'
}
`

it('names files that a run changed and that nothing compares, and changes none of them', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const file = await project.write('agent.ts', agentModule)
  await project.write('goldenrun.config.mjs', "export default { agents: { support: './agent.ts#agent' } }")
  const { agent }: { agent: () => Promise<string> } = await import(/* @vite-ignore */ file)
  await record('.goldenrun/runs', { input: {} }, agent)
  await project.write('report.txt', 'of a person')

  const promoted = await runCommand(project.path, ['promote', 'latest', '--name', 'report', '--yes'])
  expect([promoted.status, promoted.stderr]).toEqual([0, ''])
  expect(promoted.stdout).toContain('\n  files       agent.log, report.txt: changed without a step, so not compared\n')

  const replayed = await runCommand(project.path, ['replay', 'report'])
  expect([replayed.status, replayed.stderr]).toEqual([0, ''])
  expect(replayed.stdout).toContain(
    'Held report. Note: the run changed agent.log, report.txt. Files that are not recorded (files.record) are not compared; the replay changed copies.\n',
  )
  expect(readFileSync('report.txt', 'utf8')).toBe('of a person')
  expect(existsSync('agent.log') && readFileSync('agent.log', 'utf8')).toBe('one line\n')
})
