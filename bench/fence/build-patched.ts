import { cp, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runNode } from './run-node.ts'

/** A change of one place of the sources. */
export interface Patch {
  readonly file: string
  /** A line of the file. */
  readonly after: string
  /** What is inserted behind it. It is built and not checked, so it needs no types. */
  readonly insert: string
}

/** A built package in a temporary folder. */
export interface PatchedPackage extends AsyncDisposable {
  readonly folder: string
}

const repository = fileURLToPath(new URL('../../', import.meta.url))

/** Builds a copy of this tree with a patch. */
export async function buildPatched({ file, after, insert }: Patch): Promise<PatchedPackage> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'goldenrun-patched-')))
  for (const part of ['src', 'scripts', 'package.json', 'tsconfig.json', 'tsconfig.entries.json']) {
    await cp(path.join(repository, part), path.join(folder, part), { recursive: true })
  }
  await symlink(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'), 'junction')
  const text = await readFile(path.join(folder, file), 'utf8')
  if (text.split(after).length !== 2) throw new Error(`${file} does not have this line once: ${after}. Choose another one in prove.ts.`)
  await writeFile(path.join(folder, file), text.replace(after, `${after}\n${insert}`))
  const program = "import { buildJavaScript } from './scripts/build-javascript.ts'\nawait buildJavaScript('dist')"
  await runNode(['--input-type=module', '--eval', program], { cwd: folder })
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
