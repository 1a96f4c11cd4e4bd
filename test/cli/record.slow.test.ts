import { expect, it } from 'vitest'
import { listTraces } from '../../src/replay/traces/list-traces.ts'
import { spawnCommand } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { node, record, root, server, setUpEchoServer } from '../support/recorded-programs.ts'

setUpEchoServer()

it('records the runs in a program that is recorded as a whole apart', async () => {
  await using project = await createTemporaryDirectory()
  await project.write(
    'server.mjs',
    `import { createRecorder } from ${root}
     const say = async (body) => (await fetch('${server.url}', { method: 'POST', body })).text()
     await say('outside')
     const recorder = createRecorder()
     await recorder.run({ agent: 'inner', input: 1 }, () => say('inside'))
     throw new TypeError('no luck')`,
  )
  const { status, stderr } = await spawnCommand(project.path, [...record, '--whole-process', ...node, 'server.mjs'])
  expect([status, stderr.includes('TypeError: no luck')]).toEqual([1, true])
  const traces = await listTraces({ store: project.resolve('kept') })
  expect(traces.map(({ agent, status: ended, steps }) => `${agent} ${ended} ${steps}`).toSorted()).toEqual([
    'inner returned 1',
    'server threw 1',
  ])
})

it('says where a program cannot be started, and asks for one', async () => {
  await using project = await createTemporaryDirectory()
  const missing = await spawnCommand(project.path, [...record, '--', './nothing-here'])
  expect([missing.status, missing.stderr]).toEqual([2, 'Could not start ./nothing-here: spawn ./nothing-here ENOENT.\n'])
  const { status, stderr } = await spawnCommand(project.path, ['record'])
  expect([status, stderr.split('\n')[0]]).toEqual([2, "error: missing required argument 'command'"])
})
