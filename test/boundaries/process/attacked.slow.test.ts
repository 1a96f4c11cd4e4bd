import { type ChildProcess, execSync, fork, spawn } from 'node:child_process'
import childProcess from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'

const exec = promisify(childProcess.exec)
const node = process.execPath

/** Replays an agent, and gives what it returned. */
async function hold(agent: () => Promise<unknown>, times = 3): Promise<unknown> {
  const { output, trace } = await recordRun(agent)
  for (let time = 0; time < times; time += 1) {
    const run = await replay(trace, agent)
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
  return output
}

it('holds processes that are started one after another, whenever their outputs end', async () => {
  for (let time = 0; time < 10; time += 1) {
    const agent = async (): Promise<unknown> => [(await exec('echo 1')).stdout, (await exec('echo 2')).stdout]
    expect(await hold(agent, 1)).toEqual(['1\n', '2\n'])
  }
})

it('tells a program with the option -c from a shell', async () => {
  const run =
    (file: string, ...args: string[]) =>
    async (): Promise<unknown> => {
      const child = spawn(file, args)
      const [code] = (await once(child, 'close')) as unknown[]
      return code
    }
  const { trace } = await recordRun(run('wc', '-c', 'package.json'))
  expect(trace.steps[0]).toMatchObject({ name: 'process wc', input: { args: ['-c', 'package.json'] } })
  expect((await replay(trace, run('head', '-c', 'package.json'))).divergences[0]?.cause).toBe('unexpected-call')
  const { trace: ofShell } = await recordRun(run('sh', '-c', 'true'))
  expect((await replay(ofShell, run('bash', '-c', 'true'))).divergences[0]?.cause).toBe('input')
})

it('is red where synchronous processes, or messages to one process, change places', async () => {
  const commands = (first: string, second: string) => async (): Promise<unknown> => {
    execSync(`echo ${first}`)
    execSync(`echo ${second}`)
    return 'done'
  }
  const { trace } = await recordRun(commands('commit', 'push'))
  expect((await replay(trace, commands('commit', 'push'))).divergences).toEqual([])
  expect((await replay(trace, commands('push', 'commit'))).divergences).not.toEqual([])
  const messages = (first: string, second: string) => async (): Promise<unknown> => {
    const child = spawn(node, ['-e', 'process.stdin.resume()'])
    for (const message of [first, second]) child.stdin.write(`${JSON.stringify({ message })}\n`)
    child.stdin.end()
    await once(child, 'close')
    return 'done'
  }
  const { trace: sent } = await recordRun(messages('backup', 'drop'))
  expect((await replay(sent, messages('backup', 'drop'))).divergences).toEqual([])
  expect((await replay(sent, messages('drop', 'backup'))).divergences[0]?.cause).toBe('input')
})

it('records messages that no JSON has, and replays them', async () => {
  await using directory = await createTemporaryDirectory()
  const module = await directory.write(
    'child.cjs',
    `const looped = { name: 'loop' }; looped.self = looped
    process.on('message', () => { process.send({ big: 12345678901234567890n, set: new Set([1]), bytes: Buffer.from('hi'), looped }, () => process.disconnect()) })`,
  )
  const agent = async (): Promise<unknown> => {
    const child = fork(module, { serialization: 'advanced' })
    const events: string[] = []
    for (const event of ['disconnect', 'exit', 'close']) child.on(event, () => events.push(event))
    child.send('go')
    const [{ big, set, bytes, looped }] = (await once(child, 'message')) as [
      { big: bigint; set: Set<number>; bytes: Uint8Array; looped: { name: string } },
    ]
    await once(child, 'close')
    return [typeof big, String(big), set instanceof Set && set.has(1), String.fromCodePoint(...bytes), looped.name, events]
  }
  expect(await hold(agent)).toEqual([
    'bigint',
    '12345678901234567890',
    true,
    'hi',
    'loop',
    expect.arrayContaining(['disconnect', 'exit', 'close']),
  ])
})

it('does not end the process when a refused program has no error listener', async () => {
  const { trace } = await recordRun(async () => 'done')
  const run = await replay(trace, async () => {
    const child = spawn(node, ['-e', ''])
    await once(child, 'close')
    return 'done'
  })
  expect(run.divergences[0]).toMatchObject({ cause: 'unexpected-call', name: 'process node' })
})

it('replays a program that does not exist, with what was written to it', async () => {
  const agent = async (): Promise<unknown> => {
    const child = spawn('no-such-program', ['a'])
    child.stdin.on('error', () => undefined)
    child.stdin.end('hello')
    const [error] = (await new Promise((resolve) => child.once('error', (...given) => resolve(given)))) as [NodeJS.ErrnoException]
    return [error.code, error.syscall, child.pid]
  }
  expect(await hold(agent)).toEqual(['ENOENT', 'spawn no-such-program', undefined])
})

const kills: readonly (readonly [way: string, kill: (child: ChildProcess) => unknown])[] = [
  ['by its number', (child) => process.kill(child.pid ?? 0)],
  ['with its group', (child) => process.kill(-(child.pid ?? 0), 'SIGKILL')],
  ['after asking whether it is there', (child) => process.kill(child.pid ?? 0, 0) && process.kill(child.pid ?? 0, 'SIGINT')],
]

it.each(kills)('replays a process that is killed %s, and is red without', async (_way, kill) => {
  const agent = (isKilled: boolean) => async (): Promise<unknown> => {
    const child = spawn(node, ['-e', 'console.log(1); setTimeout(() => undefined, 1000)'], { detached: true })
    await once(child.stdout, 'data')
    if (isKilled) kill(child)
    return await once(child, 'close')
  }
  await hold(agent(true))
  const { trace } = await recordRun(agent(true))
  expect((await replay(trace, agent(false))).divergences[0]?.cause).toBe('missing-call')
})

it('disturbs no process for which the system has no room, nor one that is started in a folder that is gone', async () => {
  const { ChildProcess } = childProcess
  const own = (ChildProcess.prototype as unknown as { spawn: unknown }).spawn
  // What Node gives where there are too many open files: no streams, and an error in the next turn.
  const tooMany = function (this: ChildProcess): number {
    process.nextTick(() => this.emit('error', Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' })))
    return -24
  }
  Reflect.set(ChildProcess.prototype, 'spawn', tooMany)
  const { output } = await recordRun(async () => {
    const child = new ChildProcess() as ChildProcess & { spawn(options: object): number }
    const failed = new Promise((resolve) => child.once('error', resolve))
    const status = child.spawn({ file: 'git', args: ['git'], envPairs: [] })
    return [status, String(await failed)]
  }).finally(() => Reflect.set(ChildProcess.prototype, 'spawn', own))
  expect(output).toEqual([-24, 'Error: spawn EMFILE'])
  const { cwd } = process
  const { output: printed } = await recordRun(async () => {
    process.cwd = () => {
      throw Object.assign(new Error('ENOENT: uv_cwd'), { code: 'ENOENT' })
    }
    let child: ReturnType<typeof spawn> | undefined
    try {
      child = spawn(node, ['-p', '1'], { cwd: '/' })
    } finally {
      process.cwd = cwd
    }
    let text = ''
    child.stdout?.on('data', (piece) => (text += String(piece)))
    await once(child, 'close')
    return text
  })
  expect(printed).toBe('1\n')
})
