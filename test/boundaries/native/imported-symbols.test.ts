import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readImports } from '../../../src/boundaries/native/imported-symbols.ts'
import { reachOf } from '../../../src/boundaries/native/reach.ts'
import { createRandom } from '../../support/random.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts'

// What `readelf --dyn-syms` and `readelf --dynamic` show of these files.

const load = createRequire(import.meta.url)
const isLinux = process.platform === 'linux' && process.arch === 'x64'
const pty = (): string => path.join(path.dirname(load.resolve('@lydell/node-pty-linux-x64/package.json')), 'pty.node')
const sqlite = (): string => path.join(path.dirname(load.resolve('better-sqlite3/package.json')), 'prebuilds/linux-x64.node')

let directory: TemporaryDirectory

beforeAll(async () => {
  directory = await createTemporaryDirectory()
})

afterAll(() => directory[Symbol.asyncDispose]())

it.runIf(isLinux)('reads the functions and libraries that an addon imports', () => {
  const imports = readImports(pty())
  expect(imports?.symbols).toEqual(expect.arrayContaining(['forkpty', 'execvp', 'waitpid', 'napi_create_function']))
  expect(imports?.symbols).not.toContain('socket')
  expect(imports?.libraries).toEqual(expect.arrayContaining(['libutil.so.1', 'libc.so.6']))
})

it.runIf(isLinux)('tells an addon that can start programs from one that cannot reach anything', () => {
  expect(reachOf(pty(), '@lydell/node-pty')).toEqual({ network: false, programs: true })
  expect(reachOf(sqlite(), 'better-sqlite3')).toEqual({ network: false, programs: false })
})

it('takes a file that it cannot read for one that can reach everything, unless its package is known', async () => {
  const file = directory.resolve('addon.node')
  await writeFile(file, '\u00CA\u00FE\u00BA\u00BE')
  expect(readImports(file)).toBeUndefined()
  expect(reachOf(file, 'some-client')).toEqual({ network: true, programs: true })
  expect(reachOf(file, 'better-sqlite3')).toEqual({ network: false, programs: false })
  expect(readImports(directory.resolve('missing.node'))).toBeUndefined()
})

it.runIf(isLinux)('survives files that are cut off or changed anywhere', async () => {
  const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
  const random = createRandom(seed)
  const whole = readFileSync(pty())
  for (let each = 0; each < 200; each += 1) {
    const bytes = Buffer.from(whole.subarray(0, each % 2 === 0 ? random.whole(0, whole.length) : whole.length))
    // The header, and the sections that it points to.
    for (let change = 0; change < 4 && bytes.length > 64; change += 1) bytes[random.whole(4, 63)] = random.whole(0, 255)
    const file = directory.resolve('changed.node')
    await writeFile(file, bytes)
    const imports = readImports(file)
    expect(imports === undefined || Array.isArray(imports.symbols), `GOLDENRUN_SEED=${seed}, change ${each}`).toBe(true)
  }
  expect(existsSync(directory.resolve('changed.node'))).toBe(true)
})
