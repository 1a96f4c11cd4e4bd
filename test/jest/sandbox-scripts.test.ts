import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createContext } from 'node:vm'
import { brotliCompressSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readScripts, refuseReassigned } from '../../scripts/build-sandbox.ts'
import { createSandboxModules } from '../../src/jest/sandbox-modules.ts'

let directory = ''

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'goldenrun-scripts-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(directory, name)), { recursive: true })
    await writeFile(path.join(directory, name), text)
  }
}

it('evaluates modules as scripts, in the realm of the sandbox', async () => {
  await write({
    'a.js': `import { b as c, list } from "./chunks/b.js";
import path, { join } from "node:path";
import * as later from "./chunks/c.js";
const text = 'import { x } from "./y.js"; import("./z.js"); import.meta.url';
const lazy = () => import("./chunks/d.js");
const here = import.meta.url;
export { c as renamed, list, join, path, later, text, lazy, here };
`,
    'chunks/b.js': 'const b = 1;\nconst list = [b];\nexport { b, list };\n',
    'chunks/c.js': 'export { b } from "./b.js";\n',
    'chunks/d.js': 'export default [1, 2];\n',
  })
  await write({ 'jest/sandbox/edits.json.br': brotliCompressSync(JSON.stringify(readScripts(directory, ['a']))) })
  const context = createContext({})
  const module = createSandboxModules(context, directory)('a', (name) => name) as Record<string, unknown> & {
    lazy: () => Promise<{ default: unknown }>
  }
  expect(module).toMatchObject({ renamed: 1, later: { b: 1 }, join: path.join, path })
  expect(module['text']).toBe('import { x } from "./y.js"; import("./z.js"); import.meta.url')
  expect(module['here']).toBe(`${pathToFileURL(path.join(directory, 'a.js')).href}?sandbox`)
  expect(module['list']).not.toBeInstanceOf(Array)
  expect(Array.isArray(module['list'])).toBe(true)
  expect([...((await module.lazy()).default as number[])]).toEqual([1, 2])
})

it.each([
  [
    'files that import each other',
    { 'a.js': 'import "./b.js";\n', 'b.js': 'import "./a.js";\n' },
    'Built files import each other: a.js > b.js > a.js.',
  ],
  [
    'a declaration that is exported',
    { 'a.js': 'export const a = 1;\n' },
    'There is no rule for export const a = 1; in a sandbox of Jest. Add one to scripts/build-sandbox.ts.',
  ],
  ['more of import.meta', { 'a.js': 'console.log(import.meta.dirname);\n' }, 'a.js uses more of import.meta than its url.'],
])('refuses %s', async (_, files, message) => {
  await write(files)
  expect(() => readScripts(directory, ['a'])).toThrow(new Error(message))
})

it('refuses an exported variable that is reassigned, before names are shortened', () => {
  expect(() => refuseReassigned('let a = 1;\na = 2;\nexport { a };\n', 'a.js')).toThrow('a.js exports a variable that it reassigns: a.')
  expect(() => refuseReassigned('let a = 1;\nlet b = 2;\nb = a;\nexport { a };\n', 'a.js')).not.toThrow()
})
