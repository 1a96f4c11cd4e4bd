/**
 * Runs the tests of the ws package without and with recording, and prints the tests that fail only with it: `node scripts/ws-suite.ts <checkout>`.
 * The checkout is a clone of github.com/websockets/ws with its dependencies installed. `--write` writes the figures to `docs/conformance.md`.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceSection } from '../test/conformance/section.ts'

interface Report {
  readonly passes: readonly { readonly fullTitle: string }[]
  readonly failures: readonly { readonly fullTitle: string; readonly err: { readonly message?: string; readonly stack?: string } }[]
}

/**
 * Tests that read private fields: of a timer, or of a receiver that decompresses, which need not happen while recording. The last one lets a read of a
 * file race the decompression.
 */
const ofInternals =
  /honors the `closeTimeout` option|sets a timer for the closing handshake|handles backpressure \([23]\/3\)|consumes all received data when connection is closed \(1\/2\)|can be used while data is being decompressed|emits the 'error' event only once \(2\/2\)/

const [checkout, option] = process.argv.slice(2)
if (checkout === undefined) throw new Error('node scripts/ws-suite.ts <checkout> [--write]')
const preload = new URL('ws-suite-recorded.ts', import.meta.url).href
let hasFailed = false
let [files, tests] = [0, 0]
const internal = new Set<string>()
for (const file of readdirSync(join(checkout, 'test')).filter((name) => name.endsWith('.test.js'))) {
  const plain = run(checkout, file, [])
  const recorded = run(checkout, file, ['--import', preload])
  const failedBefore = new Set(plain.failures.map(({ fullTitle }) => fullTitle))
  const different = recorded.failures.filter(({ fullTitle }) => !failedBefore.has(fullTitle))
  const failed = different.filter(({ fullTitle }) => !ofInternals.test(fullTitle))
  for (const { fullTitle } of different) if (ofInternals.test(fullTitle)) internal.add(fullTitle)
  files += 1
  tests += plain.passes.length
  hasFailed ||= failed.length > 0
  console.log(`${file}: ${plain.passes.length} passed without, ${recorded.passes.length} with recording`)
  for (const { fullTitle, err } of failed) console.log(`  ${fullTitle}\n    ${err.stack ?? err.message ?? ''}`)
}
if (hasFailed) process.exitCode = 1
else if (option === '--write') {
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { readonly version: string }
  const page = new URL('../docs/conformance.md', import.meta.url)
  writeFileSync(page, replaceSection(readFileSync(page, 'utf8'), 'ws', toSection(version)))
}

function toSection(version: string): string {
  return `## The tests of ws

Written by \`node scripts/ws-suite.ts <checkout> --write\`. Each file of the tests of ws ${version} is run without goldenrun and in a process that is
recorded as one run. ${tests - internal.size} of ${tests} tests in ${files} files come to the same. The other ${internal.size} look at private fields:
of a timer, or of a receiver that decompresses, which it need not do while it is recorded.

${[...internal].map((title) => `- ${title.replaceAll('`', '')}`).join('\n')}
`
}

/** Runs one test file. */
function run(directory: string, file: string, options: readonly string[]): Report {
  const mocha = join(directory, 'node_modules/mocha/bin/mocha')
  const args = [...options, mocha, '--exit', '--timeout', '20000', '--reporter', 'json', `test/${file}`]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: directory, encoding: 'utf8', maxBuffer: 2 ** 28 })
  const start = stdout.indexOf('{\n  "stats"')
  if (start === -1) throw new Error(`${file}: mocha gave no report.\n${stdout}${stderr}`)
  return JSON.parse(stdout.slice(start)) as Report
}
