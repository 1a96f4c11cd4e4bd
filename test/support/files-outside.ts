import fs from 'node:fs'
import fsp from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from './record-run.ts'
import { readTree } from '../boundaries/files/file-world.ts'

export const home: string = fs.mkdtempSync(join(fs.realpathSync(os.tmpdir()), 'files-outside-'))

export const look: (what: string) => Promise<string> = tool('look', {}, async (what: string) => `seen ${what}`)

/** A folder that is recorded, `app/data`, beside others that are not. */
export const base: string = join(home, 'app')

export const data: string = join(base, 'data')

export const out: string = join(home, 'out')

export function fill(): void {
  for (const name of ['app', 'out', 'done', 'current', 'way']) fs.rmSync(join(home, name), { recursive: true, force: true })
  fs.mkdirSync(join(data, 'sub'), { recursive: true })
  fs.writeFileSync(join(data, 'a.txt'), 'precious')
  fs.mkdirSync(out)
  fs.writeFileSync(join(out, 'o.txt'), 'o')
  fs.symlinkSync(out, join(data, 'leads-out'))
  fs.symlinkSync(data, join(home, 'current'))
}

const treeOf = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(readTree(home)).map(([path, what]) => [
      path,
      fs.lstatSync(join(home, path)).isSymbolicLink() ? `link ${fs.readlinkSync(join(home, path))}` : what,
    ]),
  )

export async function record(agent: () => unknown): Promise<Awaited<ReturnType<typeof recordRun>>> {
  fill()
  return recordRun(async () => [await look('before'), await agent(), await look('after')], {
    recorder: { files: { record: [`${data}/**`] } },
  })
}

/** Replays where the recorded folder is as it was. Nothing real may change. */
export async function again(trace: Parameters<typeof replay>[0], agent: () => unknown): Promise<ReplayedRun> {
  const before = treeOf()
  const run = await replay(trace, async () => [await look('before'), await agent(), await look('after')])
  expect(treeOf()).toEqual(before)
  return run
}

const ways: Readonly<Record<string, (text: string) => unknown>> = {
  'a link outside that leads in': (text) => {
    fs.writeFileSync(join(home, 'current/w.txt'), text)
    return [fs.existsSync(join(data, 'w.txt')), fs.readFileSync(join(home, 'current/w.txt'), 'utf8')]
  },
  'a handle through a link that leads in': async (text) => {
    const handle = await fsp.open(join(home, 'current/sub/../w.txt'), 'w')
    await handle.write(text)
    await handle.close()
    return fs.existsSync(join(data, 'w.txt'))
  },
  'a way back over a link': (text) => {
    fs.symlinkSync(join(data, 'sub'), join(home, 'way'))
    fs.writeFileSync(`${home}/way/../w.txt`, text)
    return fs.readFileSync(join(data, 'w.txt'), 'utf8').length
  },
  'a link that it makes outside': (text) => {
    fs.symlinkSync(data, join(home, 'way'))
    fs.writeFileSync(join(home, 'way/w.txt'), text)
    return fs.readdirSync(data).toSorted()
  },
  'a link in the folder that leads out': async (text) => {
    await fsp.writeFile(join(data, 'leads-out/w.txt'), text)
    return [
      fs.readdirSync(join(data, 'leads-out')).toSorted(),
      fs.readlinkSync(join(data, 'leads-out')),
      fs.lstatSync(join(data, 'leads-out')).isSymbolicLink(),
      fs.readFileSync(join(out, 'w.txt'), 'utf8').length,
    ]
  },
  'a link that it makes in the folder': (text) => {
    fs.symlinkSync(out, join(data, 'latest'))
    fs.writeFileSync(join(data, 'latest/w.txt'), text)
    fs.symlinkSync('../../out/o.txt', join(data, 'relative'))
    fs.appendFileSync(join(data, 'relative'), text)
    return fs.readFileSync(join(data, 'relative'), 'utf8').length
  },
  'a relative link that climbs to the root': (text) => {
    fs.symlinkSync(`${'../'.repeat(30)}${out.slice(1)}/o.txt`, join(data, 'climbs'))
    fs.writeFileSync(join(data, 'climbs'), text)
    return fs.existsSync(join(data, 'climbs'))
  },
  'links that it copies and moves': (text) => {
    fs.symlinkSync(join(out, 'o.txt'), join(base, 'absolute'))
    try {
      fs.cpSync(join(base, 'absolute'), join(data, 'copied'))
    } finally {
      fs.rmSync(join(base, 'absolute'))
    }
    fs.appendFileSync(join(data, 'copied'), text)
    fs.mkdirSync(join(data, 'deep/er'), { recursive: true })
    fs.symlinkSync('../../../../out/new.txt', join(data, 'deep/er/climbs'))
    fs.renameSync(join(data, 'deep/er/climbs'), join(data, 'sub/climbs'))
    fs.renameSync(join(data, 'deep/er'), join(data, 'sub/er'))
    fs.symlinkSync('../../../out/none.txt', join(data, 'sub/dangling'))
    fs.writeFileSync(join(data, 'sub/dangling'), text)
    return [fs.readFileSync(join(out, 'o.txt'), 'utf8').length, fs.readFileSync(join(out, 'none.txt'), 'utf8').length]
  },
  'a hard link of a file outside': (text) => {
    fs.linkSync(join(out, 'o.txt'), join(data, 'h.txt'))
    fs.writeFileSync(join(data, 'h.txt'), text)
    return fs.readFileSync(join(out, 'o.txt'), 'utf8').length
  },
  'a hard link outside': (text) => {
    fs.linkSync(join(data, 'a.txt'), join(out, 'h.txt'))
    fs.writeFileSync(join(out, 'h.txt'), text)
    return fs.readFileSync(join(data, 'a.txt'), 'utf8').length
  },
  'a file that it moves out': async (text) => {
    await fsp.writeFile(join(data, 'm.txt'), text)
    await fsp.rename(join(data, 'm.txt'), join(out, 'm.txt'))
    return [fs.existsSync(join(data, 'm.txt')), fs.readFileSync(join(out, 'm.txt'), 'utf8').length]
  },
  'the folder above, moved': async (text) => {
    const before = await fsp.readFile(join(data, 'a.txt'), 'utf8')
    await fsp.writeFile(join(data, 'b.txt'), text)
    await fsp.rename(base, join(home, 'done'))
    return [before, fs.existsSync(data), fs.readFileSync(join(home, 'done/data/a.txt'), 'utf8')]
  },
  'the folder above, removed': async (text) => {
    const before = await fsp.readFile(join(data, 'a.txt'), 'utf8')
    await fsp.writeFile(join(data, 'b.txt'), text)
    await fsp.rm(base, { recursive: true })
    return [before, fs.existsSync(data), fs.existsSync(base)]
  },
  'the folder above, removed at once': (text) => {
    fs.rmSync(base, { recursive: true, force: true })
    fs.mkdirSync(data, { recursive: true })
    fs.writeFileSync(join(data, 'new.txt'), text)
    return fs.readdirSync(data)
  },
  'another working directory': (text) => {
    const before = process.cwd()
    process.chdir(data)
    try {
      fs.writeFileSync('w.txt', text)
      return fs.readFileSync('./a.txt', 'utf8')
    } finally {
      process.chdir(before)
    }
  },
}

export const waysCases: readonly [string, (text: string) => unknown][] = Object.entries(ways)

export function testWays(cases: readonly (typeof waysCases)[number][]): void {
  it.each(cases)('writes nothing real through %s', (_what, agent) => expectHeld(agent))
}

async function expectHeld(agent: (typeof waysCases)[number][1]): Promise<void> {
  const { trace, output } = await record(() => agent('good'))
  fill()
  for (const time of ['first', 'second']) {
    const run = await again(trace, () => agent('good'))
    expect([run.divergences, run.outcome], time).toEqual([[], { status: 'returned', output }])
  }
  const changed = await again(trace, () => agent('evil'))
  expect(changed.divergences).toMatchObject([{ cause: 'input', differences: [{ expected: 'good', received: 'evil' }] }])
}

const permitted: Readonly<Record<string, (mode: number) => unknown>> = {
  writeFile: (mode) => fsp.writeFile(join(data, 'k'), 'k', { mode }),
  mkdir: (mode) => fsp.mkdir(join(data, 'm'), { mode }),
  'mkdir with a number': (mode) => fs.mkdirSync(join(data, 'm'), mode),
  open: async (mode) => {
    await using handle = await fsp.open(join(data, 'k'), 'w', mode)
    await handle.write('k')
  },
  'chmod of a handle': async (mode) => {
    await using handle = await fsp.open(join(data, 'a.txt'), 'r')
    await handle.chmod(mode)
  },
  fchmod: (mode) => {
    const descriptor = fs.openSync(join(data, 'k'), 'w')
    fs.writeSync(descriptor, 'k')
    fs.fchmodSync(descriptor, mode)
    fs.closeSync(descriptor)
  },
  'fchmod with a callback': (mode) =>
    new Promise((resolve) => {
      const descriptor = fs.openSync(join(data, 'k'), 'w')
      fs.fchmod(descriptor, mode, (error) => {
        if (error === null) fs.closeSync(descriptor)
        resolve(error)
      })
    }),
  'a stream': (mode) =>
    new Promise((resolve) => {
      const stream = fs.createWriteStream(join(data, 'k'), { mode })
      stream.on('error', resolve)
      stream.on('close', () => resolve(1))
      stream.end('k')
    }),
}

export const permittedCases: readonly [string, (mode: number) => unknown][] = Object.entries(permitted)

export function testPermitted(cases: readonly (typeof permittedCases)[number][]): void {
  it.each(cases)('compares the permissions of %s', async (_what, agent) => {
    const run = (mode: number) => async (): Promise<number> => {
      await agent(mode)
      return 1
    }
    const { trace } = await record(run(0o600))
    fill()
    expect((await again(trace, run(0o600))).divergences).toEqual([])
    expect((await again(trace, run(0o644))).divergences).toMatchObject([
      { cause: 'input', differences: [{ path: expect.stringMatching(/mode$/) as string, expected: 0o600, received: 0o644 }] },
    ])
  })
}

const branches: Readonly<Record<string, () => Promise<unknown>>> = {
  'append to files': () =>
    Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        for (const line of ['1', '2', '3', '4']) await fsp.appendFile(join(data, name), line)
      }),
    ),
  'write, read and rename files': () =>
    Promise.all(
      ['1', '2', '3', '4', '5', '6', '7', '8'].map(async (name) => {
        await fsp.writeFile(join(data, `p${name}`), name)
        await fsp.readFile(join(data, `p${name}`))
        await fsp.rename(join(data, `p${name}`), join(data, `q${name}`))
      }),
    ),
  'write and read by handles': () =>
    Promise.all(
      ['1', '2', '3', '4', '5', '6'].map(async (name) => {
        const handle = await fsp.open(join(data, name), 'w+')
        await handle.write(name)
        await handle.read(Buffer.alloc(1), 0, 1, 0)
        await handle.close()
      }),
    ),
  stream: () =>
    Promise.all(
      ['1', '2', '3', '4', '5', '6'].map(async (name) => {
        await pipeline(Readable.from([name, name]), fs.createWriteStream(join(data, name)))
        await pipeline(fs.createReadStream(join(data, name)), fs.createWriteStream(join(data, `q${name}`)))
      }),
    ),
  'call back': () =>
    Promise.all(
      ['1', '2', '3', '4', '5', '6'].map(
        (name) =>
          new Promise((resolve) => {
            fs.writeFile(join(data, name), name, () =>
              fs.readFile(join(data, name), () => fs.rename(join(data, name), join(data, `q${name}`), resolve)),
            )
          }),
      ),
    ),
}

export const branchesCases: readonly [string, () => Promise<unknown>][] = Object.entries(branches)

export function testBranches(cases: readonly (typeof branchesCases)[number][]): void {
  it.each(cases)('replays branches that %s at once', async (_what, agent) => {
    const { trace } = await record(async () => (await agent()) !== undefined)
    fill()
    for (const time of Array.from({ length: 3 }).keys()) {
      const run = await again(trace, async () => (await agent()) !== undefined)
      expect(run.divergences, String(time)).toEqual([])
    }
  })
}

/** Starts what the tests share, and ends it after them. */
export function setUpFilesOutside(): void {
  afterAll(() => fs.rmSync(home, { recursive: true }))
}
