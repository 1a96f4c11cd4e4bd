import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPackage, linkPackages } from '../support/build-package.ts'
import type { Original } from './mutate.ts'

/** A project whose agents have a golden and a recording each. */
export interface HostileProject extends Disposable {
  readonly path: string
  readonly originals: readonly Original[]
}

/** Makes the project with the built package, and records its agents. */
export async function createHostileProject(): Promise<HostileProject> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'goldenrun-hostile-')))
  const modules = path.join(root, 'node_modules')
  cpSync(fileURLToPath(new URL('project', import.meta.url)), root, { recursive: true })
  mkdirSync(modules)
  cpSync(await buildPackage(), path.join(modules, 'goldenrun'), { recursive: true })
  await linkPackages(modules, ['ws', 'vitest', 'jest', 'msw', 'undici'])
  writeFileSync(path.join(root, 'package.json'), '{ "name": "hostile", "private": true, "type": "module" }\n')
  execFileSync(process.execPath, ['record.mjs'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  mkdirSync(path.join(root, 'mutants'))
  const read = (folder: string, extension: Original['extension']): Original[] =>
    readdirSync(path.join(root, folder))
      .filter((file) => file.endsWith(`.${extension}`))
      .toSorted()
      .map((file) => ({ name: path.basename(file, `.${extension}`), extension, bytes: readFileSync(path.join(root, folder, file)) }))
  return {
    path: root,
    originals: [...read('golden-traces', 'jsonl'), ...read('recordings', 'runlog')],
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}
