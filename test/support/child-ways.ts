import { type ChildProcess, exec, execFile, execFileSync, execSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { recordRun } from './record-run.ts'
import { createTemporaryDirectory } from './temporary-directory.ts'

/** A program that leaves a mark each time that it is started. */
export const marking = (mark: string, code: string): string => `require('node:fs').appendFileSync(${JSON.stringify(mark)}, 'x'); ${code}`

export async function outputOf(child: ChildProcess): Promise<unknown> {
  const events: unknown[] = []
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (piece) => (stdout += String(piece)))
  child.stderr?.on('data', (piece) => (stderr += String(piece)))
  child.on('exit', (code, signal) => events.push(['exit', code, signal]))
  child.on('error', (error: NodeJS.ErrnoException) => events.push(['error', error.code, error.message]))
  const closed = await new Promise((resolve) => child.once('close', (...ended) => resolve(ended)))
  return { stdout, stderr, events, closed, code: child.exitCode, signal: child.signalCode, killed: child.killed }
}

type Way = (program: readonly string[]) => unknown

export const node: string = process.execPath

const hello = `process.stdout.write('hel'); setTimeout(() => { process.stdout.write('lo'); process.stderr.write('warned'); process.exitCode = 3 }, 20)`

export const upper = `process.stdin.on('data', (piece) => process.stdout.write(String(piece).toUpperCase()))`

// A name has three letters: a pipe may carry two writes as one piece or as two.
const interactive = `
const read = (length, then) => {
  let text = ''
  process.stdin.on('data', function more(piece) {
    text += piece
    if (text.length < length) return
    process.stdin.off('data', more)
    then(text)
  })
}
process.stdout.write('name? ')
read(3, (name) => {
  process.stdout.write('age? ')
  read(2, (age) => {
    console.log(name + ' is ' + age)
    process.exit(0)
  })
})`

export const ways: readonly (readonly [form: string, code: string, way: Way])[] = [
  ['spawn', hello, (program) => outputOf(spawn(node, program))],
  [
    'a detached child without input',
    hello,
    (program) => outputOf(spawn(node, program, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })),
  ],
  [
    'exec',
    hello,
    async (program) => {
      const failed = await promisify(exec)(`"${node}" ${program.map((part) => JSON.stringify(part)).join(' ')}`).catch(
        (error: unknown) => error,
      )
      const { code, stdout, stderr, killed } = failed as Record<string, unknown>
      return { code, stdout, stderr, killed }
    },
  ],
  [
    'execFile, with a callback',
    `process.stdout.write('x'.repeat(300_000))`,
    (program) => new Promise((resolve) => execFile(node, program, (error, stdout, stderr) => resolve([error, stdout.length, stderr]))),
  ],
  [
    'execFile that is ended at a time limit',
    'setTimeout(() => undefined, 60_000)',
    (program) =>
      new Promise((resolve) => execFile(node, program, { timeout: 200 }, (error) => resolve([error?.killed, error?.signal, error?.code]))),
  ],
  [
    'execFile with too much output',
    `process.stdout.write('x'.repeat(300_000))`,
    (program) =>
      new Promise((resolve) =>
        execFile(node, program, { maxBuffer: 1000 }, (error, stdout) => resolve([(error as NodeJS.ErrnoException).code, stdout.length])),
      ),
  ],
  [
    'a pipe through a child',
    upper,
    async (program) => {
      const child = spawn(node, program)
      const output = outputOf(child)
      await pipeline(Readable.from([Buffer.from('one '), Buffer.from('two '), Buffer.from('three')]), child.stdin)
      return await output
    },
  ],
  [
    'a conversation without line ends',
    interactive,
    async (program) => {
      const child = spawn(node, program)
      const output = outputOf(child)
      const prompt = async (): Promise<string> => String(((await once(child.stdout, 'data')) as unknown[])[0])
      const first = await prompt()
      child.stdin.write('A')
      child.stdin.write('da')
      const second = await prompt()
      child.stdin.write('36')
      return [first, second, await output]
    },
  ],
  [
    'a child that is killed',
    `console.log('up'); setInterval(() => undefined, 1000)`,
    async (program) => {
      const child = spawn(node, program)
      const output = outputOf(child)
      await once(child.stdout, 'data')
      child.kill()
      return await output
    },
  ],
  [
    'a child that is aborted',
    `console.log('up'); setInterval(() => undefined, 1000)`,
    async (program) => {
      const controller = new AbortController()
      const child = spawn(node, program, { signal: controller.signal })
      const failed = new Promise<Error>((resolve) => child.once('error', resolve))
      const closed = new Promise((resolve) => child.once('close', resolve))
      await once(child.stdout, 'data')
      controller.abort()
      const { name } = await failed
      await closed
      return [name, child.signalCode, child.killed]
    },
  ],
  [
    'bytes',
    `process.stdout.write(Buffer.from([0, 255, 128, 10]))`,
    async (program) => {
      const child = spawn(node, program)
      const pieces: Buffer[] = []
      child.stdout.on('data', (piece: Buffer) => pieces.push(piece))
      await once(child, 'close')
      return Buffer.concat(pieces).toString('hex')
    },
  ],
  [
    'an async iterator over lines',
    `for (const line of ['a', 'b', 'c']) console.log(line)`,
    async (program) => {
      const child = spawn(node, program)
      let text = ''
      for await (const piece of child.stdout) text += String(piece)
      return text.split('\n')
    },
  ],
  [
    'spawnSync',
    hello,
    (program) => {
      const { status, stdout, stderr, signal } = spawnSync(node, program)
      return { status, signal, stdout: stdout.toString(), stderr: stderr.toString(), isBuffer: Buffer.isBuffer(stdout) }
    },
  ],
  [
    'execFileSync that fails',
    hello,
    (program) => {
      try {
        return execFileSync(node, program, { stdio: 'pipe' })
      } catch (error) {
        const { status, stdout, message } = error as { status: number; stdout: Buffer; message: string }
        return { status, stdout: stdout.toString(), isError: error instanceof Error, message: message.split('\n')[0] }
      }
    },
  ],
  ['execFileSync with input', upper, (program) => execFileSync(node, program, { input: 'ada', encoding: 'utf8' })],
  [
    'execSync',
    `process.stdout.write('hi')`,
    (program) => execSync(`"${node}" ${program.map((part) => JSON.stringify(part)).join(' ')}`, { encoding: 'utf8' }),
  ],
  [
    'two at once, the slower one first',
    `setTimeout(() => process.stdout.write(process.argv[1]), Number(process.argv[1]))`,
    async (program) => {
      const order: string[] = []
      const run = async (wait: string): Promise<void> => void order.push((await promisify(execFile)(node, [...program, wait])).stdout)
      await Promise.all([run('150'), run('10')])
      return order
    },
  ],
]

export function testChildWays(cases: readonly (typeof ways)[number][]): void {
  it.each(cases)('replays %s without the process', async (_form, code, way) => {
    await using directory = await createTemporaryDirectory()
    const mark = `${directory.path}/mark`
    const agent = async (): Promise<unknown> => await way(['-e', marking(mark, code)])
    const { output, trace } = await recordRun(agent)
    const { readFile } = await import('node:fs/promises')
    const starts = await readFile(mark, 'utf8')
    const run = await replay(trace, agent)
    expect(run.divergences).toEqual([])
    expect(run.outcome).toEqual({ status: 'returned', output })
    expect(await readFile(mark, 'utf8')).toBe(starts)
  })
}
