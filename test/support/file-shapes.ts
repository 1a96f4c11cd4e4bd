import fs, { existsSync, readFileSync, writeFileSync } from 'node:fs'
import fsp from 'node:fs/promises'
import os from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createGzip, gunzipSync } from 'node:zlib'

/** A program that changes files in a folder, and returns what it sees of them. */
export type FileShape = (folder: string) => unknown

/** Makes the folder that the programs find. */
export function fillFolder(folder: string): void {
  fs.rmSync(folder, { recursive: true, force: true })
  for (const name of ['src/deep', 'data', 'empty', '.cache/old']) fs.mkdirSync(join(folder, name), { recursive: true })
  fs.writeFileSync(join(folder, 'src/a.ts'), 'export const a = 1\n')
  fs.writeFileSync(join(folder, 'src/b.ts'), 'export const b = 2\n')
  fs.writeFileSync(join(folder, 'src/deep/c.md'), '# c\n')
  fs.writeFileSync(join(folder, 'data/orders.json'), '{"id":"ord_1","total":12.5}')
  fs.writeFileSync(join(folder, 'data/run.sh'), '#!/bin/sh\n', { mode: 0o755 })
  fs.writeFileSync(join(folder, 'data/plain.mjs'), 'export const plain = 1\n')
  fs.writeFileSync(join(folder, 'app.log'), 'first\n')
  fs.writeFileSync(join(folder, '.cache/old/entry'), Buffer.from([0, 255, 7]))
  fs.symlinkSync('data', join(folder, 'current'))
  fs.symlinkSync(join(folder, 'app.log'), join(folder, 'latest.log'))
}

const read = (...names: string[]): string => readFileSync(join(...names), 'utf8')

/** What fails, as a program sees it, without the folder. */
function failure(folder: string, make: () => unknown): unknown {
  try {
    return make()
  } catch (error) {
    const { code, syscall, path, dest, message } = error as NodeJS.ErrnoException & { dest?: string }
    return JSON.parse(JSON.stringify({ code, syscall, path, dest, message }).replaceAll(folder, '<folder>')) as unknown
  }
}

async function rejection(folder: string, made: Promise<unknown>): Promise<unknown> {
  const settled = await made.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error
    },
  )
  return failure(folder, settled)
}

const inFolder = (folder: string, paths: readonly string[]): string[] => paths.map((path) => relative(folder, path))

/** Programs, by what they do. */
export const fileShapes: Readonly<Record<string, FileShape>> = {
  async 'copies links that it made, to real files and folders'(folder) {
    const at = (...names: string[]): string => join(folder, ...names)
    fs.symlinkSync(at('app.log'), at('one'))
    fs.symlinkSync('../data', at('empty/two'))
    fs.symlinkSync(at('nowhere'), at('three'))
    fs.cpSync(at('one'), at('data/copied'))
    fs.copyFileSync(at('one'), at('data/file'))
    await fsp.cp(at('one'), at('data/plain'), { dereference: true })
    await fsp.cp(at('empty'), at('src/empty'), { recursive: true })
    await fsp.cp(at('current'), at('again'), { recursive: true, verbatimSymlinks: true })
    const failed = failure(folder, () => fs.copyFileSync(at('three'), at('data/none')))
    const isLink = (name: string): boolean => fs.lstatSync(at(name)).isSymbolicLink()
    return [
      ['data/copied', 'data/file', 'data/plain', 'src/empty/two', 'again'].map(isLink),
      read(folder, 'data/copied'),
      fs.readdirSync(at('src/empty/two')).toSorted(),
      read(folder, 'again/orders.json'),
      failed,
    ]
  },
  'writes a file and reads it by every way': async (folder) => {
    const path = join(folder, 'out.txt')
    await fsp.writeFile(path, 'hello')
    const byCallback = await new Promise((done) => {
      fs.readFile(path, 'utf8', (_error, text) => done(text))
    })
    let streamed = ''
    for await (const piece of fs.createReadStream(path, 'utf8')) streamed += String(piece)
    const handle = await fsp.open(path)
    const byHandle = await handle.readFile('utf8')
    await handle.close()
    const blob = await (await fs.openAsBlob(path)).text()
    const byUrl = await fsp.readFile(pathToFileURL(path), 'utf8')
    const byBuffer = readFileSync(Buffer.from(path)).toString()
    return [read(path), byCallback, streamed, byHandle, blob, byUrl, byBuffer, existsSync(path), await promisify(fs.exists)(path)]
  },
  'overwrites a file and reads it': (folder) => {
    writeFileSync(join(folder, 'data/orders.json'), '{"total":99}')
    return [read(folder, 'data/orders.json'), fs.readdirSync(join(folder, 'data')), fs.statSync(join(folder, 'data/orders.json')).size]
  },
  'keeps a log by appending': async (folder) => {
    fs.appendFileSync(join(folder, 'app.log'), 'second\n')
    await fsp.appendFile(join(folder, 'latest.log'), 'third\n')
    const stream = fs.createWriteStream(join(folder, 'app.log'), { flags: 'a' })
    stream.end('fourth\n')
    await finished(stream)
    return [read(folder, 'app.log'), fs.lstatSync(join(folder, 'latest.log')).isSymbolicLink(), read(folder, 'latest.log')]
  },
  'writes atomically, by a temporary file and a rename': async (folder) => {
    const path = join(folder, 'data/orders.json')
    await fsp.writeFile(`${path}.tmp`, '{"total":1}')
    await fsp.rename(`${path}.tmp`, path)
    return [read(path), fs.readdirSync(join(folder, 'data')).toSorted()]
  },
  'removes files and sees that they are gone': async (folder) => {
    fs.unlinkSync(join(folder, 'app.log'))
    await fsp.rm(join(folder, 'src/b.ts'))
    return [
      existsSync(join(folder, 'app.log')),
      existsSync(join(folder, 'latest.log')),
      fs.readdirSync(folder).toSorted(),
      fs.readdirSync(join(folder, 'src')),
      failure(folder, () => read(folder, 'src/b.ts')),
      failure(folder, () => fs.unlinkSync(join(folder, 'app.log'))),
    ]
  },
  'removes a folder and makes it again': async (folder) => {
    await fsp.rm(join(folder, 'src'), { recursive: true })
    const gone = [existsSync(join(folder, 'src')), failure(folder, () => fs.readdirSync(join(folder, 'src/deep')))]
    await fsp.mkdir(join(folder, 'src/new'), { recursive: true })
    return [gone, fs.readdirSync(join(folder, 'src'), { recursive: true }), existsSync(join(folder, 'src/a.ts'))]
  },
  'removes an empty folder, and fails at a full one': async (folder) => {
    fs.rmdirSync(join(folder, 'empty'))
    return [
      existsSync(join(folder, 'empty')),
      failure(folder, () => fs.rmdirSync(join(folder, 'src'))),
      await rejection(folder, fsp.rmdir(join(folder, 'data'))),
      failure(folder, () => fs.rmSync(join(folder, 'src'))),
      fs.readdirSync(join(folder, 'src')),
    ]
  },
  'renames a folder and moves files across folders': async (folder) => {
    await fsp.rename(join(folder, 'src'), join(folder, 'lib'))
    fs.renameSync(join(folder, 'data/orders.json'), join(folder, 'lib/deep/orders.json'))
    return [
      fs.readdirSync(folder).toSorted(),
      fs.readdirSync(join(folder, 'lib'), { recursive: true }).map(String).toSorted(),
      read(folder, 'lib/a.ts'),
      read(folder, 'lib/deep/orders.json'),
      existsSync(join(folder, 'src/a.ts')),
    ]
  },
  'copies files, and folders with and without changes': async (folder) => {
    fs.copyFileSync(join(folder, 'app.log'), join(folder, 'copy.log'))
    await fsp.cp(join(folder, 'src'), join(folder, 'clean'), { recursive: true })
    writeFileSync(join(folder, 'src/new.ts'), 'new')
    fs.rmSync(join(folder, 'src/b.ts'))
    fs.cpSync(join(folder, 'src'), join(folder, 'data'), { recursive: true })
    const seen: string[] = []
    const filter = (from: string, to: string): boolean => seen.push(`${relative(folder, from)} > ${relative(folder, to)}`) > 0
    await fsp.cp(join(folder, 'src/deep'), join(folder, 'filtered'), { recursive: true, filter })
    return [
      read(folder, 'copy.log'),
      fs.readdirSync(join(folder, 'clean')).toSorted(),
      fs.readdirSync(join(folder, 'data')).toSorted(),
      seen.toSorted(),
      failure(folder, () => fs.copyFileSync(join(folder, 'app.log'), join(folder, 'copy.log'), fs.constants.COPYFILE_EXCL)),
    ]
  },
  'makes links of both kinds': async (folder) => {
    fs.linkSync(join(folder, 'app.log'), join(folder, 'hard.log'))
    fs.appendFileSync(join(folder, 'hard.log'), 'by the link\n')
    await fsp.symlink('src/a.ts', join(folder, 'relative'))
    await fsp.symlink(join(folder, 'data'), join(folder, 'absolute'))
    writeFileSync(join(folder, 'absolute/w.txt'), 'w')
    writeFileSync(join(folder, 'relative'), 'changed by the link')
    return [
      read(folder, 'app.log'),
      fs.readlinkSync(join(folder, 'relative')),
      relative(folder, fs.readlinkSync(join(folder, 'absolute'))),
      read(folder, 'data/w.txt'),
      read(folder, 'src/a.ts'),
      relative(folder, fs.realpathSync(join(folder, 'absolute/w.txt'))),
      relative(folder, await fsp.realpath(join(folder, 'current/w.txt'))),
      fs.readdirSync(join(folder, 'current')),
    ]
  },
  'reads and writes by descriptors': (folder) => {
    const path = join(folder, 'data/orders.json')
    const descriptor = fs.openSync(path, 'r+')
    fs.writeSync(descriptor, 'XX', 2)
    fs.ftruncateSync(descriptor, 10)
    const { size } = fs.fstatSync(descriptor)
    fs.fsyncSync(descriptor)
    fs.futimesSync(descriptor, 1000, 1000)
    fs.closeSync(descriptor)
    const exclusive = failure(folder, () => fs.openSync(path, 'wx'))
    return [size, read(path), exclusive, fs.statSync(path).mtimeMs]
  },
  'works with a handle': async (folder) => {
    const handle = await fsp.open(join(folder, 'new.bin'), 'w+')
    await handle.write(Buffer.from('abcdef'))
    await handle.truncate(4)
    await handle.chmod(0o600)
    await handle.appendFile('!')
    const { size, mode } = await handle.stat()
    await handle.close()
    const lines = []
    const log = await fsp.open(join(folder, 'app.log'), 'a+')
    await log.write('more\n')
    for await (const line of log.readLines({ start: 0 })) lines.push(line)
    return [size, mode & 0o777, read(folder, 'new.bin'), lines]
  },
  'truncates, and sets permissions and times': async (folder) => {
    const path = join(folder, 'data/run.sh')
    await fsp.truncate(path, 5)
    await fsp.chmod(path, 0o700)
    await fsp.utimes(path, 1_700_000_000, 1_700_000_001)
    fs.chmodSync(join(folder, 'src'), 0o750)
    fs.utimesSync(join(folder, 'empty'), 5, 6)
    await fsp.lutimes(join(folder, 'latest.log'), 7, 8)
    const { mode, mtimeMs, size } = fs.statSync(path)
    return [
      mode & 0o777,
      mtimeMs,
      size,
      fs.statSync(join(folder, 'src')).mode & 0o777,
      fs.statSync(join(folder, 'empty')).mtimeMs,
      fs.lstatSync(join(folder, 'latest.log')).mtimeMs,
      fs.readdirSync(join(folder, 'src')),
    ]
  },
  'lists folders in every form': async (folder) => {
    writeFileSync(join(folder, 'src/aa.ts'), '')
    fs.rmSync(join(folder, 'src/deep/c.md'))
    fs.mkdirSync(join(folder, 'src/zz'))
    const names = (entries: readonly fs.Dirent[]): string[] =>
      entries.map((entry) => `${relative(folder, join(entry.parentPath, entry.name))} ${entry.isDirectory() ? 'folder' : 'file'}`)
    const opened: string[] = []
    for await (const entry of await fsp.opendir(join(folder, 'src'))) opened.push(...names([entry]))
    const dir = fs.opendirSync(join(folder, 'src'), { recursive: true })
    const recursive: string[] = []
    for (let entry = dir.readSync(); entry !== null; entry = dir.readSync()) recursive.push(...names([entry]))
    dir.closeSync()
    return [
      fs.readdirSync(join(folder, 'src')),
      names(await fsp.readdir(join(folder, 'src'), { withFileTypes: true })),
      await fsp.readdir(join(folder, 'src'), { recursive: true }),
      names(fs.readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true })),
      fs.readdirSync(join(folder, 'src'), 'buffer').map(String),
      opened.toSorted(),
      recursive.toSorted(),
      relative(folder, dir.path),
    ]
  },
  'searches by patterns': async (folder) => {
    writeFileSync(join(folder, 'src/new.ts'), '')
    fs.rmSync(join(folder, 'src/a.ts'))
    fs.mkdirSync(join(folder, 'src/deep/er'))
    writeFileSync(join(folder, 'src/deep/er/d.ts'), '')
    const found: string[] = []
    for await (const path of fsp.glob('**/*.ts', { cwd: folder })) found.push(path)
    const entries = fs.globSync('src/*', { cwd: folder, withFileTypes: true })
    return [
      found,
      fs.globSync('src/**/*.{ts,md}', { cwd: folder }),
      inFolder(folder, fs.globSync(`${folder}/src/*.ts`)),
      entries.map((entry) => `${relative(folder, join(entry.parentPath, entry.name))} ${entry.isFile()}`),
      fs.globSync('*.log', { cwd: folder }),
    ]
  },
  'works in a temporary folder': async (folder) => {
    const own = await fsp.mkdtemp(join(os.tmpdir(), 'agent-'))
    await fsp.writeFile(join(own, 'a.py'), 'print(1)')
    await fsp.copyFile(join(own, 'a.py'), join(folder, 'a.py'))
    const seen = [
      basename(own).replace(/.{6}$/, ''),
      fs.readdirSync(own),
      fs.realpathSync(own) === fs.realpathSync(os.tmpdir() + own.slice(os.tmpdir().length)),
    ]
    await fsp.rm(own, { recursive: true })
    return [seen, existsSync(own), read(folder, 'a.py'), fs.mkdtempSync(join(folder, 'here-')).startsWith(join(folder, 'here-'))]
  },
  'changes into a folder of its own': async (folder) => {
    const own = fs.mkdtempSync(join(fs.realpathSync(os.tmpdir()), 'agent-'))
    const before = process.cwd()
    const inside = (): unknown => {
      process.chdir(own)
      writeFileSync('a.txt', 'a')
      fs.mkdirSync('sub')
      process.chdir('sub')
      writeFileSync('b.txt', 'b')
      return [relative(own, process.cwd()), resolve('b.txt') === join(own, 'sub/b.txt'), fs.readdirSync('..'), read('../a.txt')]
    }
    try {
      return [inside(), fs.readdirSync(own)]
    } catch (error) {
      // Threads cannot change their folder.
      return (error as NodeJS.ErrnoException).code
    } finally {
      if (process.cwd() !== before) process.chdir(before)
      fs.rmSync(own, { recursive: true })
      fs.rmSync(join(folder, 'app.log'))
    }
  },
  'keeps a cache in node_modules': async (folder) => {
    const cache = join(folder, 'node_modules/.cache/agent')
    const made = await fsp.mkdir(cache, { recursive: true })
    for (const key of ['one', 'two']) await fsp.writeFile(join(cache, key), JSON.stringify({ key }), { flag: 'wx', mode: 0o600 })
    const again = await fsp.mkdir(cache, { recursive: true })
    return [
      relative(folder, made ?? ''),
      again ?? 'nothing',
      fs.readdirSync(cache),
      fs.statSync(join(cache, 'one')).mode & 0o777,
      failure(folder, () => fs.mkdirSync(cache)),
      await rejection(folder, fsp.writeFile(join(cache, 'one'), '', { flag: 'wx' })),
    ]
  },
  'takes a lock': async (folder) => {
    const lock = join(folder, 'data/orders.json.lock')
    const take = (): Promise<string> =>
      fsp.mkdir(lock).then(
        () => 'taken',
        (error: NodeJS.ErrnoException) => error.code ?? '',
      )
    const taken = [await take(), await take()]
    await fsp.utimes(lock, 1_700_000_000, 1_700_000_000)
    const { mtimeMs } = await fsp.stat(lock)
    await fsp.rmdir(lock)
    return [taken, mtimeMs, await take(), fs.readdirSync(join(folder, 'data'))]
  },
  'streams through a transformation into a file': async (folder) => {
    const upper = new Transform({
      transform(piece: Buffer, _encoding, done) {
        done(null, piece.toString().toUpperCase())
      },
    })
    await pipeline(fs.createReadStream(join(folder, 'src/a.ts')), upper, fs.createWriteStream(join(folder, 'upper.txt')))
    await pipeline(Readable.from(['one ', 'two']), createGzip(), fs.createWriteStream(join(folder, 'data/packed.gz')))
    await fsp.writeFile(join(folder, 'pieces.txt'), Readable.from(['a', 'b', 'c']))
    return [read(folder, 'upper.txt'), gunzipSync(readFileSync(join(folder, 'data/packed.gz'))).toString(), read(folder, 'pieces.txt')]
  },
  'asks for files in every form of access': async (folder) => {
    writeFileSync(join(folder, 'made.txt'), '', { mode: 0o644 })
    fs.rmSync(join(folder, 'app.log'))
    await fsp.access(join(folder, 'made.txt'), fs.constants.R_OK)
    return [
      await rejection(folder, fsp.access(join(folder, 'app.log'))),
      failure(folder, () => fs.accessSync(join(folder, 'nothing/here'))),
      await rejection(folder, fsp.stat(join(folder, 'app.log'))),
      fs.statSync(join(folder, 'app.log'), { throwIfNoEntry: false }) ?? 'nothing',
      await new Promise((done) => fs.access(join(folder, 'app.log'), (error) => done(error?.code))),
      failure(folder, () => fs.opendirSync(join(folder, 'gone'))),
      failure(folder, () => writeFileSync(join(folder, 'gone/a.txt'), '')),
      failure(folder, () => writeFileSync(join(folder, 'src'), '')),
      failure(folder, () => writeFileSync(join(folder, 'made.txt/below'), '')),
    ]
  },
  'names paths relative to the working folder': async (folder) => {
    const path = relative(process.cwd(), join(folder, 'data'))
    writeFileSync(join(path, 'relative.txt'), 'r')
    const made = fs.mkdirSync(join(path, 'x/y'), { recursive: true })
    return [
      read(folder, 'data/relative.txt'),
      resolve(made ?? '') === join(folder, 'data/x'),
      fs.readdirSync(path),
      failure(folder, () => fs.readFileSync(join(path, 'none.txt'))),
      (await fsp.readdir(path, { withFileTypes: true })).map((entry) => entry.parentPath === path),
    ]
  },
  'watches a file and a folder': async (folder) => {
    const events = await new Promise((done, fail) => {
      const watcher = fs.watch(join(folder, 'data'), (_event, name) => {
        if (name !== 'watched.txt') return
        watcher.close()
        done(name)
      })
      watcher.on('error', fail)
      setTimeout(() => writeFileSync(join(folder, 'data/watched.txt'), 'w'), 20)
    })
    return [events, read(folder, 'data/watched.txt')]
  },
  'catches what goes wrong at the second of two paths': async (folder) => [
    failure(folder, () => fs.renameSync(join(folder, 'none'), join(folder, 'x'))),
    failure(folder, () => fs.renameSync(join(folder, 'src'), join(folder, 'data'))),
    failure(folder, () => fs.copyFileSync(join(folder, 'none'), join(folder, 'x'))),
    failure(folder, () => fs.linkSync(join(folder, 'app.log'), join(folder, 'src/a.ts'))),
    failure(folder, () => fs.symlinkSync('x', join(folder, 'app.log'))),
    await rejection(folder, fsp.rename(join(folder, 'app.log'), join(folder, 'gone/app.log'))),
    read(folder, 'src/a.ts'),
    fs.readdirSync(folder).toSorted(),
  ],
  'edits files as a coding agent does': async (folder) => {
    for (const name of await fsp.readdir(join(folder, 'src'))) {
      if (!name.endsWith('.ts')) continue
      const path = join(folder, 'src', name)
      await fsp.copyFile(path, `${path}.orig`)
      await fsp.writeFile(path, (await fsp.readFile(path, 'utf8')).replace('const', 'let'))
    }
    const changed = fs.readdirSync(join(folder, 'src')).filter((name) => name.endsWith('.ts'))
    for (const name of changed) await fsp.unlink(join(folder, 'src', `${name}.orig`))
    return changed.map((name) => [name, read(folder, 'src', name)])
  },
  'keeps a file open that it removes': (folder) => {
    const descriptor = fs.openSync(join(folder, 'spool'), 'w+')
    fs.writeSync(descriptor, 'spooled')
    fs.unlinkSync(join(folder, 'spool'))
    const bytes = Buffer.alloc(7)
    fs.readSync(descriptor, bytes, 0, 7, 0)
    fs.closeSync(descriptor)
    return [bytes.toString(), existsSync(join(folder, 'spool')), fs.readdirSync(folder).includes('spool')]
  },
  'writes in parallel': async (folder) => {
    await Promise.all(
      Array.from({ length: 20 }, async (_each, index) => {
        await fsp.mkdir(join(folder, `many/${index % 4}`), { recursive: true })
        await fsp.writeFile(join(folder, `many/${index % 4}/${index}.txt`), String(index))
      }),
    )
    const names = fs.readdirSync(join(folder, 'many'), { recursive: true }).map(String).toSorted()
    return [names.length, names.slice(0, 5), read(folder, 'many/3/19.txt')]
  },
  'writes a dump of the process': (folder) => {
    const report = process.report.writeReport(join(folder, 'report.json'))
    return [relative(folder, report), existsSync(join(folder, 'report.json'))]
  },
  'leaves a device as it is': async () => {
    writeFileSync('/dev/null', 'x')
    const stream = fs.createWriteStream('/dev/null')
    stream.end('y')
    await finished(stream)
    return fs.readFileSync('/dev/null').length
  },
}
