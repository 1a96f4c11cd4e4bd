/** Packs the built package as it would be published, and runs publint and attw on the tarball. */
import { execSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSandboxEntries } from './entries.ts'

const folder = mkdtempSync(join(tmpdir(), 'goldenrun-package-'))
try {
  // Without scripts, because `prepack` would build `dist` a second time.
  execSync(`npm pack --ignore-scripts --pack-destination "${folder}"`, { stdio: ['ignore', 'ignore', 'inherit'] })
  for (const name of readdirSync(folder)) {
    const tarball = join(folder, name)
    execSync(`publint "${tarball}" --strict`, { stdio: 'inherit' })
    execSync(`attw "${tarball}" --profile esm-only`, { stdio: 'inherit' })
    // The entries that Jest's sandboxes load also have to be right for CommonJS.
    const both = readSandboxEntries().map((entry) => (entry === 'index' ? '.' : entry))
    execSync(`attw "${tarball}" --profile node16 --entrypoints ${both.join(' ')}`, { stdio: 'inherit' })
  }
} catch {
  // The failed tool has printed the reason; a stack trace of this file adds nothing.
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
