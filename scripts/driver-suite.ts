/**
 * Runs a database driver's own tests against a real server, each file without goldenrun and with its processes recorded, and fails if a file
 * has a different result when it is recorded: `node scripts/driver-suite.ts pg ../node-postgres`, after `npm run build`. Also `ioredis` and `mysql2`.
 * `--only <regular expression>` runs the files whose path matches; `--times 3` repeats each pair of runs that often, and `--all` prints a
 * line for each file. `--minutes 60` starts no file after that time; `--resume <file>` stores the result of each file there, and runs only files without a
 * result. `--write` writes the results into `docs/conformance.md`, and `--under <text>` adds the conditions of the run.
 *
 * The checkout is a clone of the driver's repository whose dependencies are installed; nothing is downloaded here.
 *
 * - pg (github.com/brianc/node-postgres): `npm install` with the workspaces pg, pg-pool, pg-cursor, pg-query-stream and pg-protocol, then `npx tsc` in
 *   packages/pg-protocol and packages/pg-query-stream.
 * - ioredis (github.com/redis/ioredis): `npm install`; then, so that not each file compiles everything, `mkdir compiled && cp package.json compiled` and
 *   `npx tsc --outDir compiled --rootDir . --target es2021 --module commonjs --moduleResolution node $(find lib test/unit test/functional test/helpers -name '*.ts')`,
 *   whose type errors do not matter. Its tests expect Redis at port 6379, which must be free. In a separate network namespace they cannot reach
 *   anything else: `unshare -n sh -c 'ip link set lo up; node scripts/driver-suite.ts ioredis ../ioredis'`.
 * - mysql2 (github.com/sidorares/node-mysql2): `npm install`. Debian's MariaDB replaces MySQL: tests that need MySQL itself fail without recording as well.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { compareFile, type Verdict } from './driver-suites/compare-file.ts'
import { describeCheckout } from './driver-suites/describe-checkout.ts'
import { suites } from './driver-suites/suites.ts'
import { replaceSuite } from './driver-suites/suites-page.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    times: { type: 'string', default: '1' },
    resume: { type: 'string' },
    minutes: { type: 'string', default: 'Infinity' },
    all: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    under: { type: 'string' },
  },
})
const [name = '', given = ''] = positionals
const suite = suites[name]
if (suite === undefined) throw new Error(`Usage: node scripts/driver-suite.ts <${Object.keys(suites).join('|')}> <checkout>`)
if (!existsSync('dist/record/record-at-start.js')) throw new Error('There is no build. Run: npm run build')

const checkout = path.resolve(given)
const allFiles = suite.files(checkout)
const files = allFiles.filter((file) => new RegExp(values.only).test(file.name))
if (files.length === 0) throw new Error(`${checkout} has no tests of ${name}${values.only === '' ? '' : ` in ${values.only}`}.`)

const verdicts = readKept()
const kept = new Set(verdicts.map(({ file }) => file))
const end = Date.now() + Number(values.minutes) * 60_000
{
  await using server = await suite.start()
  for (const file of files.filter((each) => !kept.has(each.name))) {
    if (Date.now() > end) break
    const verdict = await compareFile(file, {
      driver: suite.driver,
      environment: suite.environment(server.port),
      times: Number(values.times),
    })
    verdicts.push(verdict)
    if (values.resume !== undefined) appendFileSync(values.resume, `${JSON.stringify(verdict)}\n`)
    for (const line of tell(verdict)) console.log(line)
    if (values.all) console.log(`${verdict.kind}: ${file.name}: ${verdict.tests} tests, ${verdict.driverSteps} steps`)
  }
}

const of = (kind: Verdict['kind']): Verdict[] => verdicts.filter((verdict) => verdict.kind === kind)
const sum = (count: (verdict: Verdict) => number): number => verdicts.reduce((total, verdict) => total + count(verdict), 0)
console.log(
  `${name}: ${verdicts.length} of ${allFiles.length} files, ${sum(({ tests }) => tests)} tests. The same when recorded: ${of('same').length + of('fails').length}, of which ${of('fails').length} fail without recording as well. ` +
    `Flaky: ${of('flaky').length}. Different: ${of('different').length}. ${sum(({ steps }) => steps)} steps were recorded in ${verdicts.filter(({ driverSteps }) => driverSteps > 0).length} files, ${sum(({ driverSteps }) => driverSteps)} of them of the driver.`,
)
const reached = verdicts.filter(({ notes }) => notes.length > 0)
if (reached.length > 0)
  console.log(`Noted as unrecorded contacts, in ${reached.length} files: ${[...new Set(reached.flatMap(({ notes }) => notes))].join(', ')}`)
if (values.write) {
  const page = new URL('../docs/conformance.md', import.meta.url)
  const { explained = {}, without, folder } = suite
  const result = {
    name,
    checkout: describeCheckout(checkout, folder),
    node: process.version,
    under: values.under,
    files: allFiles.length,
    without,
    explained,
    verdicts,
  }
  writeFileSync(page, replaceSuite(readFileSync(page, 'utf8'), result))
}
if (of('different').length > 0) process.exitCode = 1
if (sum(({ driverSteps }) => driverSteps) === 0) throw new Error('Nothing was recorded, so this proves nothing.')

/** Reads the results that an earlier run stored. */
function readKept(): Verdict[] {
  if (values.resume === undefined || !existsSync(values.resume)) return []
  const lines = readFileSync(values.resume, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Verdict)
}

function tell({ kind, file, details }: Verdict): string[] {
  const shown = details.map((detail) => `    ${detail}`)
  if (kind === 'same') return []
  if (kind === 'fails') return [`fails without recording as well: ${file}`, ...shown]
  return [`${kind}: ${file}`, ...shown]
}
