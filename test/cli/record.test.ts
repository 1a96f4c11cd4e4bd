import { expect, it } from 'vitest'
import { listTraces } from '../../src/replay/traces/list-traces.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { runCommand, spawnCommand } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { node, record, root, server, setUpEchoServer } from '../support/recorded-programs.ts'

setUpEchoServer()

it('records the runs of a program that does not say where', async () => {
  await using project = await createTemporaryDirectory()
  await project.write(
    'server.mjs',
    `import { createRecorder } from ${root}
     const { random } = Math
     const recorder = createRecorder()
     const run = (input) => recorder.run({ agent: 'echo', input }, async (body) => {
       return [await (await fetch('${server.url}', { method: 'POST', body })).text(), random() < 1]
     })
     console.log(JSON.stringify([await run('a'), await run('b')]), process.argv[2])`,
  )
  const { status, stdout, stderr } = await spawnCommand(project.path, [...record, ...node, 'server.mjs', 'seven'])
  expect([status, stdout, stderr]).toEqual([0, '[["a",true],["b",true]] seven\n', ''])
  const traces = await listTraces({ store: project.resolve('kept') })
  expect(traces.map(({ agent, status: ended, steps }) => [agent, ended, steps])).toEqual([
    ['echo', 'returned', 1],
    ['echo', 'returned', 1],
  ])
  const trace = await readTrace(traces[0]?.id ?? '', { store: project.resolve('kept') })
  // The program took hold of it after the door was opened.
  expect(trace.rows.some((row) => row.kind === 'reads' && row.random !== undefined)).toBe(true)
})

it('records a program that knows nothing of it as one run, with its exit status', async () => {
  await using project = await createTemporaryDirectory()
  await project.write(
    'agent.mjs',
    `const say = async (body) => (await fetch('${server.url}', { method: 'POST', body })).text()
     setTimeout(async () => {
       console.log(await say(process.argv[2]), await say('again'))
       process.exit(3)
     }, 5)`,
  )
  const { status, stdout, stderr } = await spawnCommand(project.path, [...record, '--whole-process', ...node, 'agent.mjs', 'refund'])
  expect([status, stdout, stderr]).toEqual([3, 'refund again\n', ''])
  const [summary, ...others] = await listTraces({ store: project.resolve('kept') })
  expect(others).toEqual([])
  const trace = await readTrace(summary?.id ?? '', { store: project.resolve('kept') })
  expect([trace.header.agent, trace.header.input, trace.end?.output]).toEqual(['agent', { args: ['refund'] }, { exitCode: 3 }])
  expect(trace.steps.map(({ owner, input }) => [owner, (input as { text: string }).text])).toEqual([
    [0, 'refund'],
    [0, 'again'],
  ])
  expect(trace.rows.some(({ kind }) => kind === 'timer')).toBe(true)
  expect(trace.header.wholeProcess).toBe(true)
  const promoted = await runCommand(project.path, ['promote', trace.header.id, '--name', 'refund', '--yes', '--store', 'kept'])
  expect(promoted).toEqual({
    status: 2,
    stdout: '',
    stderr:
      `Cannot promote ${trace.header.id}: it is the recording of a whole process (goldenrun record --whole-process), and a replay runs an ` +
      'agent, not a process. Wrap the call of your agent in the program, recorder.run({ agent: "agent", input }, agent), and record it ' +
      'again: npx goldenrun record -- node <program>. Then promote that run.\n',
  })
})
