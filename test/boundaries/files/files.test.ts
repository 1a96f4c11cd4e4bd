import fs, { readFileSync as namedReadFileSync } from 'node:fs'
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'
import { holdFiles, readTree } from './file-world.ts'

let home = ''
beforeAll(() => {
  home = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), 'files-of-agents-'))
})
afterAll(() => fs.rmSync(home, { recursive: true }))

let folders = 0
const world = (fill: (folder: string) => void): { folder: string; fill: (folder: string) => void } => ({
  folder: join(home, `data-${(folders += 1)}`),
  fill(folder) {
    fs.mkdirSync(folder, { recursive: true })
    fill(folder)
  },
})

const ordinary = (folder: string): void => {
  fs.writeFileSync(join(folder, 'orders.json'), '{"id":"ord_1","total":12.5}')
  fs.writeFileSync(join(folder, 'notes.txt'), 'first\nsecond\n')
  fs.mkdirSync(join(folder, 'deep/er'), { recursive: true })
  fs.writeFileSync(join(folder, 'deep/er/image.bin'), Buffer.from([0, 255, 128, 7]))
  fs.writeFileSync(join(folder, 'deep/page.md'), '# page')
}

const look = tool('look', {}, async (what: string) => `seen ${what}`)
const stepsOf = ({ trace }: Pick<Awaited<ReturnType<typeof holdFiles>>, 'trace'>): unknown[] =>
  trace.steps.map(({ name, input }) => [name, input])

it('replays an agent that reads, writes, renames and streams files, and writes nothing real', async () => {
  const held = await holdFiles(world(ordinary), async (folder) => {
    const order = JSON.parse(await readFile(join(folder, 'orders.json'), 'utf8')) as { total: number }
    await look(String(order.total))
    await writeFile(join(folder, 'answer.tmp'), `the total is ${order.total}`)
    await rename(join(folder, 'answer.tmp'), join(folder, 'answer.txt'))
    const out = fs.createWriteStream(join(folder, 'log.txt'))
    out.write('one\n')
    out.end('two\n')
    await finished(out)
    await look('log')
    let streamed = ''
    for await (const piece of fs.createReadStream(join(folder, 'notes.txt'), 'utf8')) streamed += String(piece)
    await appendFile(join(folder, 'log.txt'), 'three\n')
    return [
      streamed,
      fs.readFileSync(join(folder, 'log.txt'), 'utf8'),
      fs.readFileSync(join(folder, 'answer.txt'), 'utf8'),
      fs.readdirSync(folder),
    ]
  })
  expect(held.output).toEqual([
    'first\nsecond\n',
    'one\ntwo\nthree\n',
    'the total is 12.5',
    ['answer.txt', 'deep', 'log.txt', 'notes.txt', 'orders.json'],
  ])
  const at = (name: string): string => expect.stringMatching(new RegExp(`/${name}$`)) as string
  expect(stepsOf(held)).toEqual([
    ['file read', { path: at('orders.json') }],
    ['look', '12.5'],
    ['file read', { path: at('answer.tmp') }],
    ['file write', { path: at('answer.tmp'), text: 'the total is 12.5' }],
    ['file read', { path: at('answer.txt') }],
    ['file rename', { from: at('answer.tmp'), to: at('answer.txt') }],
    ['file read', { path: at('log.txt') }],
    ['file write', { path: at('log.txt'), text: 'one\ntwo\n' }],
    ['look', 'log'],
    ['file read', { path: at('notes.txt') }],
    ['file append', { path: at('log.txt'), text: 'three\n' }],
    ['file read', { path: expect.stringMatching(/data-\d+$/) as string }],
  ])
})

it('is red at the step of a changed write, with the line', async () => {
  const agent =
    (text: string) =>
    async (folder: string): Promise<string> => {
      fs.writeFileSync(join(folder, 'answer.txt'), text)
      return 'done'
    }
  const held = await holdFiles(world(ordinary), agent('refund 10'))
  const run = await held.replay(agent('refund 99'))
  expect(run.divergences).toMatchObject([
    {
      cause: 'input',
      name: 'file write',
      step: 2,
      site: { file: 'test/boundaries/files/files.test.ts' },
      differences: [{ path: 'args.text', expected: 'refund 10', received: 'refund 99' }],
    },
  ])
})

it('is red at the step of a changed stream', async () => {
  const agent =
    (text: string) =>
    async (folder: string): Promise<string> => {
      await pipeline(Readable.from([text]), fs.createWriteStream(join(folder, 'answer.txt')))
      return 'done'
    }
  const held = await holdFiles(world(ordinary), agent('refund 10'))
  const run = await held.replay(agent('refund 99'))
  expect(run.divergences).toMatchObject([
    { cause: 'input', name: 'file write', differences: [{ expected: 'refund 10', received: 'refund 99' }] },
  ])
})

it('is red where a file is read that the recorded run did not read', async () => {
  const agent =
    (name: string) =>
    async (folder: string): Promise<string> =>
      readFile(join(folder, name), 'utf8')
  const held = await holdFiles(world(ordinary), agent('notes.txt'))
  const run = await held.replay(agent('deep/page.md'))
  expect(run.divergences).toMatchObject([{ cause: 'input', name: 'file read', site: { file: 'test/boundaries/files/files.test.ts' } }])
  const sync = await held.replay((folder) => fs.existsSync(join(folder, 'deep')))
  expect(sync.divergences).toMatchObject([{ cause: 'input', name: 'file read' }])
})

it('redacts secrets in what is read and written', async () => {
  const key = 'sk-proj-abcdefghijklmnopqrstuvwx1234567890ABCD'
  const held = await holdFiles(
    world((folder) => fs.writeFileSync(join(folder, 'settings.ini'), `key = ${key}\nmail = jane.doe@kestrel-mail.io\n`)),
    async (folder) => {
      const text = await readFile(join(folder, 'settings.ini'), 'utf8')
      await writeFile(join(folder, 'copy.ini'), text)
      fs.cpSync(join(folder, 'copy.ini'), join(folder, 'other.ini'))
      const handle = await fs.promises.open(join(folder, 'third.ini'), 'w')
      await handle.writeFile(text)
      await handle.close()
      return text.split('\n').length
    },
  )
  expect(held.output).toBe(3)
  expect([held.text.includes('abcdefghijklmnopqrstuvwx'), held.text.includes('jane.doe')]).toEqual([false, false])
  expect(held.trace.steps.filter(({ name }) => name === 'file write')).toHaveLength(2)
})

const describe = (error: unknown): unknown => {
  const { code, syscall, message, path } = error as NodeJS.ErrnoException
  return [error instanceof Error, code, syscall, message, path]
}

const uses: readonly (readonly [what: string, use: (folder: string) => unknown])[] = [
  ['sync functions', (folder) => [namedReadFileSync(join(folder, 'notes.txt'), 'utf8'), fs.statSync(join(folder, 'deep')).isDirectory()]],
  ['callbacks', (folder) => new Promise((resolve) => fs.readFile(join(folder, 'notes.txt'), 'utf8', (...given) => resolve(given)))],
  ['promisified functions', (folder) => promisify(fs.readFile)(join(folder, 'notes.txt'), 'utf8')],
  ['required functions', (folder) => (createRequire(import.meta.url)('fs') as typeof fs).readFileSync(join(folder, 'notes.txt'), 'utf8')],
  [
    'a URL and a buffer',
    (folder) => [fs.readFileSync(new URL(`file://${folder}/notes.txt`), 'utf8'), fs.existsSync(Buffer.from(`${folder}/none`))],
  ],
  [
    'what is missing',
    async (folder) => [
      fs.existsSync(join(folder, 'none')),
      describe(await readFile(join(folder, 'none')).catch((error: unknown) => error)),
      await new Promise((resolve) => fs.stat(join(folder, 'none/at/all'), (error) => resolve(describe(error)))),
      await writeFile(join(folder, 'none/at/all.txt'), '').catch(describe),
      await new Promise((resolve) => fs.createReadStream(join(folder, 'none')).on('error', (error) => resolve(describe(error)))),
    ],
  ],
  [
    'errors',
    async (folder) => [
      await readFile(join(folder, 'deep')).catch((error: unknown) => [(error as NodeJS.ErrnoException).code]),
      await fs.promises.readdir(join(folder, 'notes.txt')).catch(describe),
      await fs.promises.mkdir(join(folder, 'deep')).catch(describe),
      await fs.promises.rmdir(join(folder, 'deep')).catch((error: unknown) => [(error as NodeJS.ErrnoException).code]),
      await fs.promises.open(join(folder, 'notes.txt'), 'wx').catch(describe),
      await fs.promises.rename(join(folder, 'none'), join(folder, 'other')).catch(describe),
    ],
  ],
  [
    'handles',
    async (folder) => {
      await using handle = await fs.promises.open(join(folder, 'notes.txt'), 'r+')
      const lines = []
      for await (const line of handle.readLines({ autoClose: false, start: 0 })) lines.push(line)
      await handle.write('FIRST', 0)
      await handle.truncate(5)
      return [lines, (await handle.stat()).size]
    },
  ],
  [
    'descriptors',
    (folder) => {
      const descriptor = fs.openSync(join(folder, 'new.txt'), fs.constants.O_CREAT | fs.constants.O_RDWR | fs.constants.O_APPEND)
      fs.writeSync(descriptor, 'one')
      fs.writeSync(descriptor, 'two')
      fs.closeSync(descriptor)
      return fs.readFileSync(join(folder, 'new.txt'), 'utf8')
    },
  ],
  [
    'folders',
    async (folder) => {
      fs.mkdirSync(join(folder, 'a/b/c'), { recursive: true })
      fs.mkdirSync(join(folder, 'a/b/c'), { recursive: true })
      fs.writeFileSync(join(folder, 'a/b/c/x.txt'), 'x')
      const names = []
      for await (const entry of await fs.promises.opendir(folder)) names.push(`${entry.name} ${entry.isDirectory()}`)
      const entries = fs.readdirSync(folder, { withFileTypes: true }).map((entry) => [entry.name, entry.isFile(), entry.parentPath])
      const all = fs.readdirSync(folder, { recursive: true }).map(String).toSorted()
      fs.renameSync(join(folder, 'deep'), join(folder, 'moved'))
      const moved = fs.readFileSync(join(folder, 'moved/page.md'), 'utf8')
      fs.rmSync(join(folder, 'moved'), { recursive: true })
      return [names.toSorted(), entries, all, moved, fs.existsSync(join(folder, 'moved/page.md')), fs.readdirSync(folder).toSorted()]
    },
  ],
  [
    'copies',
    async (folder) => {
      fs.cpSync(join(folder, 'deep'), join(folder, 'copy'), { recursive: true })
      await fs.promises.copyFile(join(folder, 'notes.txt'), join(folder, 'notes-2.txt'))
      return [fs.readFileSync(join(folder, 'copy/er/image.bin')).toString('hex'), fs.readFileSync(join(folder, 'notes-2.txt'), 'utf8')]
    },
  ],
  [
    'links',
    async (folder) => {
      fs.symlinkSync(join(folder, 'notes.txt'), join(folder, 'absolute'))
      fs.symlinkSync('notes.txt', join(folder, 'relative'))
      fs.linkSync(join(folder, 'notes.txt'), join(folder, 'hard'))
      return [
        fs.readlinkSync(join(folder, 'absolute')),
        await fs.promises.readlink(join(folder, 'relative')),
        fs.realpathSync(join(folder, 'absolute')),
        fs.realpathSync.native(join(folder, 'relative')),
        fs.readFileSync(join(folder, 'relative'), 'utf8'),
        fs.readFileSync(join(folder, 'hard'), 'utf8'),
        fs.lstatSync(join(folder, 'absolute')).isSymbolicLink(),
      ]
    },
  ],
  [
    'patterns',
    async (folder) => {
      const found = []
      for await (const name of fs.promises.glob('**/*.md', { cwd: folder })) found.push(name)
      return [
        found,
        fs.globSync(`${folder}/*.txt`),
        await new Promise((resolve) => fs.glob(`${folder}/deep/*`, (_error, names) => resolve(names))),
      ]
    },
  ],
  [
    'facts of files',
    (folder) => {
      fs.chmodSync(join(folder, 'notes.txt'), 0o640)
      fs.utimesSync(join(folder, 'notes.txt'), 1_000_000, 1_000_000)
      const { mode, size, mtimeMs } = fs.statSync(join(folder, 'notes.txt'))
      fs.accessSync(join(folder, 'notes.txt'), fs.constants.R_OK)
      return [mode & 0o777, size, mtimeMs, fs.statSync(join(folder, 'orders.json')).mtimeMs]
    },
  ],
  [
    'temporary folders',
    async (folder) => {
      const one = fs.mkdtempSync(join(folder, 'tmp-'))
      const two = await fs.promises.mkdtemp(join(folder, 'tmp-'))
      const three = await promisify(fs.mkdtemp as (prefix: string, told: (error: unknown, folder: string) => void) => void)(
        join(folder, 'tmp-'),
      )
      fs.writeFileSync(join(one, 'x'), 'x')
      return [
        one,
        two,
        three,
        fs.readdirSync(one),
        await fs.promises.mkdtemp(join(folder, 'none/tmp-')).catch((error: unknown) => [(error as NodeJS.ErrnoException).code]),
      ]
    },
  ],
  [
    'data that comes',
    async (folder) => {
      await writeFile(join(folder, 'came.txt'), Readable.from(['a', 'b']))
      await fs.promises.appendFile(join(folder, 'came.txt'), new Uint8Array([99]))
      fs.truncateSync(join(folder, 'came.txt'), 2)
      fs.unlinkSync(join(folder, 'notes.txt'))
      return [await readFile(join(folder, 'came.txt'), 'utf8'), fs.existsSync(join(folder, 'notes.txt'))]
    },
  ],
  [
    'a watch',
    async (folder) => {
      const seen = Promise.withResolvers<unknown>()
      const watcher = fs.watch(folder, (_event, name) => seen.resolve(name))
      fs.writeFileSync(join(folder, 'seen.txt'), 'x')
      const name = await seen.promise
      watcher.close()
      return name
    },
  ],
]

it.each(uses)('holds %s', async (_what, use) => {
  const held = await holdFiles(world(ordinary), async (folder) => {
    const before = await look('before')
    const used = await use(folder)
    return [before, used, await look('after')]
  })
  expect(held.output).toEqual(['seen before', expect.anything(), 'seen after'])
})

it('does what it does without a recorder', async () => {
  for (const [what, use] of uses.filter(([name]) => !/temporary|facts/.test(name))) {
    const plain = world(ordinary)
    plain.fill(plain.folder)
    const alone: unknown = await use(plain.folder)
    const tree = readTree(plain.folder)
    fs.rmSync(plain.folder, { recursive: true })
    plain.fill(plain.folder)
    const { output } = await recordRun(async () => await use(plain.folder), { recorder: { files: { record: [`${plain.folder}/**`] } } })
    expect([output, readTree(plain.folder)], what).toEqual([alone, tree])
  }
})

it('keeps no content beyond the limit, and says so', async () => {
  const { folder, fill } = world((to) => fs.writeFileSync(join(to, 'big.txt'), 'x'.repeat(2_000)))
  fill(folder)
  const agent = async (): Promise<unknown> => [fs.statSync(join(folder, 'big.txt')).size, await readFile(join(folder, 'big.txt'), 'utf8')]
  const { trace, text } = await recordRun(agent, { recorder: { files: { record: [`${folder}/**`], maxBytes: 1_000 } } })
  expect(trace.steps[0]?.output).toMatchObject({ kind: 'file', size: 2_000 })
  expect(text).toContain('2000 bytes exceed files.maxBytes (1000)')
})

it('leaves alone what no pattern names, and the project', async () => {
  const { folder, fill } = world(ordinary)
  fill(folder)
  const agent = async (): Promise<unknown> => [fs.existsSync(join(folder, 'notes.txt')), fs.existsSync('package.json')]
  const { trace } = await recordRun(agent, { recorder: { files: { record: [`${folder}/deep/**`, `${process.cwd()}/**`] } } })
  expect(trace.steps).toEqual([])
})

it('holds twenty runs at once', async () => {
  const { folder, fill } = world(ordinary)
  const held = await holdFiles({ folder, fill }, async (at) => {
    const text = await readFile(join(at, 'notes.txt'), 'utf8')
    await writeFile(join(at, 'out.txt'), text.toUpperCase())
    return [await look('out'), await readFile(join(at, 'out.txt'), 'utf8')]
  })
  const again = async (): ReturnType<typeof replay> =>
    replay(held.trace, async () => {
      const text = await readFile(join(folder, 'notes.txt'), 'utf8')
      await writeFile(join(folder, 'out.txt'), text.toUpperCase())
      return [await look('out'), await readFile(join(folder, 'out.txt'), 'utf8')]
    })
  const runs = await Promise.all(Array.from({ length: 20 }, again))
  expect(fs.existsSync(folder)).toBe(false)
  for (const run of runs) expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: held.output }])
})
