/**
 * Tests released versions of each database driver, and of each gRPC, HTTP/2 and WebSocket client, with a real server on several versions of Node, and
 * writes the results into two sections of `docs/conformance.md`: `npm run conformance:drivers`. Each flow of a driver runs without a recorder,
 * recorded, and replayed with the server unreachable. `--only clients` or `--only drivers` tests and writes one of the two sections. Nothing is written
 * with `--driver pg` (one driver), `--node 24` (one version of Node), `--sample 4` (a few trials, drawn by `GOLDENRUN_SEED`) or `--check`. npm installs
 * the versions into a folder of the temporary directory, where they stay for the next run. Fails if a flow is neither green nor explained.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { driverExplanations } from '../test/conformance/drivers/driver-explanations.ts'
import {
  type DriverResult,
  openChannels,
  openDatabases,
  unexplainedFlows,
  writeDriversSection,
} from '../test/conformance/drivers/drivers-page.ts'
import { runDriverTrial } from '../test/conformance/drivers/driver-trial.ts'
import { installDriver } from '../test/conformance/drivers/install-driver.ts'
import { startServer } from '../test/conformance/drivers/servers.ts'
import { type TriedDriver, triedClients, triedDrivers } from '../test/conformance/drivers/versions.ts'
import { replaceSection } from '../test/conformance/section.ts'
import { createRandom } from '../test/support/random.ts'
import { type LocatedNode, locateNode } from './locate-node.ts'

interface Trial {
  readonly driver: TriedDriver
  readonly version: string
  readonly node: LocatedNode
}

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    sample: { type: 'string' },
    driver: { type: 'string' },
    only: { type: 'string' },
    node: { type: 'string' },
  },
})
const isPart = [values.sample, values.driver, values.node].some((value) => value !== undefined)
const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
if (values.sample !== undefined) console.log(`A sample of ${values.sample}: GOLDENRUN_SEED=${seed}`)

const majors = values.node === undefined ? [22, 24, 26] : [Number(values.node)]
const nodes = majors.map((major) =>
  process.versions.node.startsWith(`${major}.`) ? { path: process.execPath, version: process.version } : locateNode(major),
)
/** The sections of the page, each with its trials. */
const sections = [
  { name: 'drivers', drivers: triedDrivers, writeOpening: openDatabases },
  { name: 'clients', drivers: triedClients, writeOpening: openChannels },
].filter(({ name }) => values.only === undefined || name === values.only)
const all = sections
  .flatMap(({ drivers }) => drivers)
  .filter((driver) => values.driver === undefined || [driver.program, driver.package].includes(values.driver))
  .flatMap((driver) => driver.versions.flatMap((version) => nodes.map((node): Trial => ({ driver, version, node }))))
const trials = values.sample === undefined ? all : createRandom(seed).shuffle(all).slice(0, Number(values.sample))

const results = new Map<TriedDriver, DriverResult[]>()
const failures: string[] = []
for (const driver of sections.flatMap(({ drivers }) => drivers)) {
  const own = trials.filter((trial) => trial.driver === driver)
  if (own.length === 0) continue
  await using server = await startServer(driver.program)
  for (const trial of own) await run(trial, server.port)
}

const red = [...failures, ...unexplainedFlows([...results.values()].flat(), driverExplanations)]
for (const line of red) console.error(line)
if (!values.check && !isPart) {
  const page = new URL('../docs/conformance.md', import.meta.url)
  for (const { name, drivers, writeOpening } of sections) {
    const own = drivers.flatMap((driver) => results.get(driver) ?? [])
    const section = writeDriversSection(own, driverExplanations, writeOpening)
    writeFileSync(page, replaceSection(readFileSync(page, 'utf8'), name, section))
  }
}
console.log(`Drivers: ${red.length === 0 ? 'every flow is green or explained' : `${red.length} are red`}.`)
if (red.length > 0) process.exitCode = 1

async function run({ driver, version, node }: Trial, port: number): Promise<void> {
  try {
    const folder = await installDriver(driver, version, node)
    const findings = await runDriverTrial({ driver: driver.program, folder, port, node: node.path })
    results.set(driver, [...(results.get(driver) ?? []), { driver: nameOf(driver), version, node: node.version, findings }])
    console.log(
      `${findings.filter(({ wrong }) => wrong.length === 0).length}/${findings.length}  ${nameOf(driver)} ${version}, Node ${node.version}`,
    )
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    failures.push(`${nameOf(driver)} ${version}, Node ${node.version}: ${why}`)
    console.log(`not run: ${nameOf(driver)} ${version}, Node ${node.version}: ${why.split('\n', 1)[0]}`)
  }
}

/** Returns the name of a driver on the page. */
function nameOf({ label, package: name, program }: TriedDriver): string {
  return label ?? name ?? program
}
