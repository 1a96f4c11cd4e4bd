import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { describeTree } from '../../support/describe-tree.ts'
import { fillFolder } from '../../support/file-shapes.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts'

// What replays write, as the system sees it.

vi.setConfig({ testTimeout: 120_000 })

const program = fileURLToPath(new URL('replay-shapes.ts', import.meta.url))
const isTraced = process.platform === 'linux' && spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0
const home = join(process.cwd(), 'node_modules/.own-files-slow-test')

let temporary: TemporaryDirectory
beforeAll(async () => {
  temporary = await createTemporaryDirectory()
  for (const name of ['traces', 'tmp']) fs.mkdirSync(temporary.resolve(name))
  fs.chmodSync(temporary.path, 0o755)
  fs.chmodSync(temporary.resolve('tmp'), 0o777)
  fillFolder(home)
})
afterAll(async () => {
  fs.rmSync(home, { recursive: true, force: true })
  await temporary[Symbol.asyncDispose]()
})

const environment = (): NodeJS.ProcessEnv => {
  const { NODE_OPTIONS: _, ...env } = process.env
  return { ...env, TMPDIR: temporary.resolve('tmp'), TZ: 'UTC' }
}
const argumentsFor = (what: string): string[] => [program, what, home, temporary.resolve('traces')]
const left = (): string[] => fs.readdirSync(temporary.resolve('tmp')).filter((name) => name.startsWith('goldenrun-files-'))

function run(what: string, by: readonly string[] = []): string {
  const [command = '', ...args] = [...by, process.execPath, ...argumentsFor(what)]
  const { stdout, stderr, status } = spawnSync(command, args, { encoding: 'utf8', env: environment(), maxBuffer: 100_000_000 })
  expect([status, status === 0 ? '' : stderr]).toEqual([0, ''])
  return stdout
}

const changing =
  /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|^\d+ +(?:creat|truncate|unlink|rename|mkdir|rmdir|link|symlink|chmod|fchmodat|chown|lchown|fchownat|utime|mknod)/

/** The paths of calls that changed something, outside of folders for temporary files and of devices. */
function changedOutside(file: string): string[] {
  const calls = fs.readFileSync(file, 'utf8').split('\n')
  const done = calls.filter((call) => changing.test(call) && !/ = -1 E|<unfinished|[+-]{3}/.test(call))
  expect(done.length).toBeGreaterThan(200)
  return done.filter((call) => {
    const whole = call.replaceAll(/(?:AT_FDCWD|\d+)<([^>]*)>, "([^"/][^"]*)"/g, '"$1/$2"')
    const named = [...whole.matchAll(/"([^"]*)"/g)].map(([, path = '']) => path)
    // The first path of a symbolic link is text.
    const changed = /^\d+ +symlink/.test(call) ? named.slice(1) : named
    return changed.some((path) => !path.startsWith(`${temporary.resolve('tmp')}/`) && !path.startsWith('/dev/'))
  })
}

it('replays every program in a process of its own, and writes only temporary files', () => {
  run('record')
  const before = describeTree(home)
  const file = temporary.resolve('calls.txt')
  const seen = 'trace=/^(open|openat|openat2|creat|truncate|unlink|rename|mkdir|rmdir|link|symlink|chmod|fchmodat|.*chown|.*utime|mknod)'
  const strace = ['strace', '-f', '--seccomp-bpf', '-qq', '-y', '-s', '4096', '-e', seen, '-o', file]
  const replays = JSON.parse(run('replay', isTraced ? strace : [])) as Record<string, unknown>
  expect(Object.keys(replays).length).toBeGreaterThanOrEqual(30)
  expect(Object.entries(replays).filter(([, each]) => JSON.stringify(each) !== '{"differs":[],"hashes":1}')).toEqual([])
  expect(describeTree(home)).toEqual(before)
  expect(left()).toEqual([])
  expect(isTraced ? changedOutside(file) : []).toEqual([])
})

it('removes what a killed process has left', async () => {
  const child = spawn(process.execPath, argumentsFor('hang'), { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(left()).toHaveLength(1)
  run('once')
  expect([left(), fs.existsSync(join(home, 'never.txt')), fs.existsSync(join(home, 'once.txt'))]).toEqual([[], false, false])
})

it('fails where the real files may not be written', () => {
  fillFolder(home)
  for (const name of ['src/deep', 'src', '']) fs.chmodSync(join(home, name), 0o555)
  for (const name of ['app.log', 'src/a.ts']) fs.chmodSync(join(home, name), 0o444)
  try {
    const denied = (call: string): string => `EACCES: permission denied, ${call}`
    expect(JSON.parse(run('permissions'))).toEqual({
      output: [
        denied("open '/new'"),
        denied("open '/app.log'"),
        denied("unlink '/app.log'"),
        'EACCES',
        denied("mkdir '/made/deep'"),
        denied("rename '/app.log' -> '/other.log'"),
        denied("symlink 'x' -> '/link'"),
        denied("copyfile '/app.log' -> '/src/a.ts'"),
      ],
      differs: [],
    })
  } finally {
    for (const name of ['', 'src', 'src/deep']) fs.chmodSync(join(home, name), 0o755)
  }
})
