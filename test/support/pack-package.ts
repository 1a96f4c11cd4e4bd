import { execSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package as it would be published. */
export interface PackedPackage extends AsyncDisposable {
  /** An absolute path. */
  readonly tarball: string
}

/** Builds the package and packs it into a temporary folder. */
export async function packPackage(): Promise<PackedPackage> {
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-package-'))
  // A shell finds npm on Windows too. `prepack` builds.
  execSync(`npm pack --loglevel=error --pack-destination "${folder}"`, {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [tarball] = await readdir(folder)
  if (tarball === undefined) throw new Error(`npm pack left nothing in ${folder}.`)
  return { tarball: path.join(folder, tarball), [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
