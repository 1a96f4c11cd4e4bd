import dns from 'node:dns'
import fs from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { holdFiles } from './file-world.ts'

const home = fs.mkdtempSync(join(fs.realpathSync(os.tmpdir()), 'files-of-odd-agents-'))
afterAll(() => fs.rmSync(home, { recursive: true }))

/** Agents that use files in ways that are easily forgotten. */
const oddAgents: Readonly<Record<string, (folder: string) => unknown>> = {
  'pwrite at an offset': (folder) => {
    const d = fs.openSync(folder + '/a', 'r+')
    fs.writeSync(d, 'ZZ', 1)
    fs.closeSync(d)
    return fs.readFileSync(folder + '/a', 'utf8')
  },
  'rename while open': async (folder) => {
    const h = await fs.promises.open(folder + '/new', 'w')
    await h.write('x')
    fs.renameSync(folder + '/new', folder + '/moved')
    await h.close()
    return fs.readFileSync(folder + '/moved', 'utf8')
  },
  'unlink while open': async (folder) => {
    const h = await fs.promises.open(folder + '/a', 'r+')
    fs.unlinkSync(folder + '/a')
    await h.write('x')
    await h.close()
    return fs.existsSync(folder + '/a')
  },
  'never closed': (folder) => {
    const d = fs.openSync(folder + '/n', 'w')
    fs.writeSync(d, 'x')
    return fs.readFileSync(folder + '/n', 'utf8')
  },
  'dot dot paths': (folder) => fs.readFileSync(folder + '/sub/../a', 'utf8'),
  'two handles': async (folder) => {
    const [a, b] = await Promise.all([fs.promises.open(folder + '/p', 'a'), fs.promises.open(folder + '/p', 'a')])
    await a.write('1')
    await b.write('2')
    await a.close()
    await b.close()
    return fs.readFileSync(folder + '/p', 'utf8')
  },
  'parallel writes': async (folder) => {
    await Promise.all([1, 2, 3, 4].map((n) => fs.promises.writeFile(folder + '/w' + n, String(n))))
    return fs.readdirSync(folder).length
  },
  'rm and again': (folder) => {
    fs.rmSync(folder, { recursive: true })
    fs.mkdirSync(folder)
    fs.writeFileSync(folder + '/a', 'again')
    return fs.readFileSync(folder + '/a', 'utf8')
  },
  'dangling link': (folder) => {
    fs.symlinkSync(folder + '/nowhere', folder + '/l')
    return [fs.existsSync(folder + '/l'), fs.readlinkSync(folder + '/l')]
  },
  'await using handle': async (folder) => {
    await using h = await fs.promises.open(folder + '/u', 'w')
    await h.writeFile('x')
    return 'ok'
  },
  'stream from handle': async (folder) => {
    const h = await fs.promises.open(folder + '/s', 'w')
    const s = h.createWriteStream()
    await new Promise<void>((r) => s.end('hello', () => r()))
    await new Promise((r) => s.on('close', () => r(undefined)))
    return fs.readFileSync(folder + '/s', 'utf8')
  },
  'read stream range': async (folder) => {
    let t = ''
    for await (const c of fs.createReadStream(folder + '/a', { start: 1, end: 2 })) t += String(c)
    return t
  },
  'bigint stat': (folder) => fs.statSync(folder + '/a', { bigint: true }).size,
  'no entry': (folder) => fs.statSync(folder + '/none', { throwIfNoEntry: false }) === undefined,
  utf16: (folder) => {
    fs.writeFileSync(folder + '/u16', 'äö', 'utf16le')
    return fs.readFileSync(folder + '/u16').toString('hex')
  },
  'hex string': (folder) => {
    fs.writeFileSync(folder + '/h', 'c0ffee', 'hex')
    return fs.readFileSync(folder + '/h').toString('hex')
  },
  'file as folder': (folder) => {
    try {
      fs.readFileSync(folder + '/a/b')
    } catch (e) {
      return (e as { code: string; message: string }).message
    }
  },
  'json laid out': (folder) => {
    fs.writeFileSync(folder + '/j', JSON.stringify({ a: 1 }, null, 2))
    return fs.readFileSync(folder + '/j', 'utf8')
  },
  'dns in a callback of fs': (folder) =>
    new Promise((r) => fs.readFile(folder + '/a', () => dns.lookup('localhost', { family: 4 }, (...g) => r(g)))),
  'host in a file': (folder) => {
    fs.writeFileSync(folder + '/host', `${os.hostname()} ${process.memoryUsage().rss}`)
    return fs.readFileSync(folder + '/host', 'utf8')
  },
  'lines appended': (folder) => {
    for (let i = 0; i < 5; i += 1) fs.appendFileSync(folder + '/log', `line ${i}\n`)
    return fs.readFileSync(folder + '/log', 'utf8')
  },
}

it.each(Object.entries(oddAgents))('holds an agent with %s', async (_name, use) => {
  const fill = (folder: string): void => {
    fs.mkdirSync(`${folder}/sub`, { recursive: true })
    fs.writeFileSync(`${folder}/a`, 'abcdef')
  }
  const held = await holdFiles({ folder: join(home, 'data'), fill }, use, 1)
  expect(held.trace.steps.length).toBeGreaterThan(0)
})
