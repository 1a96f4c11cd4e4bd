import childProcess, { execFile, fork, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { marking, node, outputOf, testChildWays, upper, ways } from '../../support/child-ways.ts'

// The other ways: child-process.slow.test.ts.
testChildWays(ways.filter((_, index) => index % 3 === 0))

it('replays messages with a forked child', async () => {
  await using directory = await createTemporaryDirectory()
  const module = await directory.write(
    'child.cjs',
    `require('node:fs').appendFileSync(__dirname + '/mark', 'x'); process.on('message', (text) => process.send({ said: text }, () => process.disconnect()))`,
  )
  const agent = async (): Promise<unknown> => {
    const child = fork(module)
    child.send('hello')
    const [message] = (await once(child, 'message')) as unknown[]
    const closed = (await once(child, 'close')) as unknown[]
    return [message, closed, child.connected]
  }
  const { output, trace } = await recordRun(agent)
  expect(output).toEqual([{ said: 'hello' }, [0, null], false])
  const { readFile } = await import('node:fs/promises')
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome, await readFile(`${directory.path}/mark`, 'utf8')]).toEqual([
    [],
    { status: 'returned', output },
    'x',
  ])
})

it.each([0, 3])('replays the exit with %i of a child whose output stays open', async (code) => {
  // The child's own child writes to its output once the child is gone.
  const inherited = `setTimeout(() => console.log('later'), 300)`
  const program = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inherited)}], { stdio: 'inherit' }).unref(); process.exit(${code})`
  const agent = async (): Promise<unknown> => {
    const child = spawn(process.execPath, ['-e', program])
    const events: unknown[] = []
    child.stdout.on('data', (bytes: Buffer) => events.push(String(bytes)))
    for (const event of ['exit', 'close']) child.on(event, (status) => events.push([event, status]))
    await once(child, 'close')
    return events
  }
  const { output, trace, text } = await recordRun(agent)
  expect(output).toEqual([['exit', code], 'later\n', ['close', code]])
  expect(text).not.toContain('unkept-value')
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('replays a program that does not exist', async () => {
  const agent = (): Promise<unknown> => outputOf(spawn('no-such-program', ['a']))
  const { output, trace } = await recordRun(agent)
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('reports another argument at the line that starts the process', async () => {
  const ask = (word: string) => async (): Promise<unknown> => (await promisify(execFile)(node, ['-p', word])).stdout
  const { trace } = await recordRun(ask('1+1'))
  const run = await replay(trace, ask('1+2'))
  expect(run.divergences[0]).toMatchObject({ cause: 'input', step: 1 })
})

it('reports another text that is written, and input that is left open', async () => {
  const run = (text: string, ends: boolean) => async (): Promise<unknown> => {
    const child = spawn(node, ['-e', upper])
    child.stdin.write(text)
    if (ends) child.stdin.end()
    return await outputOf(child)
  }
  const { trace } = await recordRun(run('ada', true))
  expect((await replay(trace, run('eve', true))).divergences[0]).toMatchObject({ cause: 'input' })
  expect((await replay(trace, run('ada', false))).divergences[0]).toMatchObject({ cause: 'missing-call' })
  expect((await replay(trace, run('ada', true))).divergences).toEqual([])
})

it('refuses a process that the recording does not have', async () => {
  await using directory = await createTemporaryDirectory()
  const mark = `${directory.path}/mark`
  const { trace } = await recordRun(() => 'done')
  for (const way of [
    () => outputOf(childProcess.spawn(node, ['-e', marking(mark, '')])),
    async () => spawnSync(node, ['-e', marking(mark, '')]).error?.message ?? 'ran',
  ]) {
    const run = await replay(trace, async () => {
      await way()
      return 'done'
    })
    expect(run.divergences[0]?.cause).toBe('unexpected-call')
  }
  expect(existsSync(mark)).toBe(false)
})
