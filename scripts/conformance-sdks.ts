/**
 * Records agents that use released SDKs, and replays them with new versions, with harmful changes that only headers show, and with harmful changes of
 * agents that use what a response has beside its body. Writes the results into a section of `docs/conformance.md`: `npm run conformance:sdks`. Nothing is written with `--only stripe` (one agent), `--sample 5` (a few rows, drawn by
 * `GOLDENRUN_SEED`) or `--check`. npm installs the versions into a folder of the temporary directory, where they stay for the next run. Fails if a
 * result is not the expected one.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { type ChangedAgent, changedAgents, responseAgents, type Upgrade, upgrades } from '../test/conformance/sdks/sdk-tables.ts'
import { runChanges, runUpgrade, type SdkFinding } from '../test/conformance/sdks/sdk-trial.ts'
import { unexpectedFindings, writeSdksSection } from '../test/conformance/sdks/sdks-page.ts'
import { replaceSection } from '../test/conformance/section.ts'
import { bringRowCheckUpToDate } from './write-row-check.ts'
import { createRandom } from '../test/support/random.ts'

type Row = Upgrade | ChangedAgent

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, sample: { type: 'string' }, only: { type: 'string' } },
})
const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
if (values.sample !== undefined) console.log(`A sample of ${values.sample}: GOLDENRUN_SEED=${seed}`)

const all: readonly Row[] = [...upgrades, ...changedAgents, ...responseAgents]
const named = all.filter(({ agent }) => values.only === undefined || agent === values.only)
if (named.length === 0)
  throw new Error(`No agent is called "${values.only}". There are: ${[...new Set(all.map(({ agent }) => agent))].join(', ')}.`)
const rows = values.sample === undefined ? named : createRandom(seed).shuffle(named).slice(0, Number(values.sample))

bringRowCheckUpToDate()
const results = new Map<Row, readonly SdkFinding[]>()
const red: string[] = []
const waiting = [...rows]
await Promise.all(Array.from({ length: availableParallelism() }, work))

for (const line of red) console.error(line)
if (!values.check && rows.length === all.length) {
  const page = new URL('../docs/conformance.md', import.meta.url)
  const found = <Kind extends Row>(table: readonly Kind[]): { row: Kind; findings: readonly SdkFinding[] }[] =>
    table.map((row) => ({ row, findings: results.get(row) ?? [] }))
  const section = writeSdksSection(found(upgrades), found(changedAgents), found(responseAgents))
  writeFileSync(page, replaceSection(readFileSync(page, 'utf8'), 'sdks', section))
}
console.log(`SDKs: ${red.length === 0 ? 'every result is the expected one' : `${red.length} are red`}.`)
if (red.length > 0) process.exitCode = 1

/** Tries one row after the other until none are left. */
async function work(): Promise<void> {
  for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) await tryRow(row)
}

async function tryRow(row: Row): Promise<void> {
  const [packages] = 'from' in row ? row.to : row.packages
  try {
    const findings = 'from' in row ? await runUpgrade(row) : await runChanges(row)
    results.set(row, findings)
    const unexpected = unexpectedFindings(row.agent, findings)
    red.push(...unexpected)
    console.log(`${findings.length - unexpected.length}/${findings.length}  ${packages}${'from' in row ? `, from ${row.from[0]}` : ''}`)
  } catch (error) {
    const why = (error as { readonly stderr?: string }).stderr ?? String(error)
    red.push(`${row.agent}, ${packages}: ${why.slice(-2000)}`)
    console.log(`not run: ${packages}`)
  }
}
