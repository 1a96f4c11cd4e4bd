import { expect, it } from 'vitest'
import { promote } from '../../src/goldens/promote.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { recordCancel } from '../support/recordings.ts'
import { runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'

it('flags a recording, by its id, its trace or as the latest', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel(store)
  const { traceId } = (await readTrace(id)).header
  expect(await runCommand(project.path, ['flag', 'latest', 'the customer wrote'])).toEqual({
    status: 0,
    stdout: `Flagged ${id}: the customer wrote\n`,
    stderr: '',
  })
  expect(JSON.parse((await runCommand(project.path, ['flag', traceId, 'twice', '--json'])).stdout)).toEqual({ id, reason: 'twice' })
  const { stdout } = await runCommand(project.path, ['list', '--flagged', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ recordings: [{ id, flags: ['the customer wrote', 'twice'] }] })
  expect((await runCommand(project.path, ['show', traceId])).stdout).toContain(`Recording ${id}`)
})

it('flags no golden, and nothing that is not there', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await promote(await readTrace(await recordCancel(store)), { name: 'cancel' })
  expect(await runCommand(project.path, ['flag', 'cancel', 'why'])).toEqual({
    status: 2,
    stdout: '',
    stderr: '"cancel" is a golden trace, and only recordings can be flagged. To list them: npx goldenrun list\n',
  })
  const { status, stderr } = await runCommand(project.path, ['flag', '2026', 'why', '--store', 'elsewhere'])
  expect([status, stderr]).toEqual([2, expect.stringContaining('no recording with that id in elsewhere')])
})
