/** Runs all checks, or the named ones: `npm run check -- lint types`. A check is silent unless it fails; a failure does not stop the others. */
import { spawnSync } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { bringRowCheckUpToDate } from './write-row-check.ts'

bringRowCheckUpToDate()

/** In order: checks that read `dist` come after the build. */
const checks: Record<string, string> = {
  'lock-file': 'node scripts/complete-lock-file.ts --check',
  types: 'tsc -p tsconfig.json',
  lint: 'oxlint',
  format: 'oxfmt --check',
  unused: 'knip',
  'public-docs': 'node scripts/check-public-docs.ts',
  reference: 'node scripts/write-reference.ts --check',
  build: 'node scripts/build.ts',
  'oldest-node': 'node scripts/check-oldest-node.ts',
  printers: 'node scripts/check-printers.ts',
  rooms: 'node scripts/check-rooms.ts',
  package: 'node scripts/check-package.ts',
  size: 'node scripts/check-size.ts',
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in checks))
if (unknown.length > 0) throw new Error(`No check is called ${unknown.join(' or ')}. There are: ${Object.keys(checks).join(', ')}.`)

const failed = Object.entries(checks)
  .filter(([name]) => names.length === 0 || names.includes(name))
  .filter(([name, command]) => !passes(name, command))
  .map(([name]) => name)
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}. To run only these again: npm run check -- ${failed.join(' ')}`)
  process.exitCode = 1
}

function passes(name: string, command: string): boolean {
  const start = performance.now()
  // A shell finds the command on the PATH that npm set, also on Windows.
  const { status, stdout, stderr } = spawnSync(command, {
    shell: true,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
  })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(12)} ${seconds.padStart(5)} s   ${command}`)
  if (status !== 0) console.log(`${stdout}${stderr}`)
  return status === 0
}
