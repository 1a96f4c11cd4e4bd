import { table } from '../table.ts'
import type { DriverExplanation } from './driver-explanations.ts'
import type { DriverFinding } from './driver-trial.ts'

/** What came of a version of a driver on a version of Node. */
export interface DriverResult {
  readonly driver: string
  readonly version: string
  /** As `process.version` gives it. */
  readonly node: string
  readonly findings: readonly DriverFinding[]
}

/** The flows that are neither green nor explained, one line each. */
export function unexplainedFlows(results: readonly DriverResult[], explanations: readonly DriverExplanation[]): string[] {
  return results.flatMap((result) =>
    result.findings
      .filter((finding) => finding.wrong.length > 0 && !explanations.some((explanation) => isAbout(explanation, result, finding)))
      .map(
        ({ flow, time, wrong }) =>
          `${result.driver} ${result.version}, ${result.node}, ${flow}, ${time}: ${wrong.join('; ').slice(0, 800)}`,
      ),
  )
}

/** What opens the part about database drivers. @param green So many cells of so many. */
export function openDatabases(green: string): string {
  return `## Database drivers

Written by \`npm run conformance:drivers\`. ${green} cells are green. A cell is one flow of a driver. It is run
against a real server on loopback without a recorder, then recorded, then replayed with the server out of reach (for MongoDB, a stand-in that speaks its
protocol; for SQLite, a file that is gone). It is green when the recorded run saw what the plain one saw, and the replay what the recording saw, with no
divergence, no note of an unrecorded contact and not one connection opened. Each flow is tried with a client that was opened before the run, and with one
that the run opens. \`goldenrun/register\` is loaded first.`
}

/** What opens the part about clients of gRPC, HTTP/2 and WebSockets. */
export function openChannels(green: string): string {
  return `## Clients of gRPC, HTTP/2 and WebSockets

Written by \`npm run conformance:drivers\`. ${green} cells are green. A cell is one flow of a client, tried as those of database drivers are; for a client that\nopens with calls or messages of its own only in a run that opens it. Servers are
real: those of grpc-js, \`node:http2\` and ws on loopback, which stand in for Bedrock, Qdrant, Weaviate, OpenAI's Realtime API and Gemini's Live API.`
}

/** A part of the page about drivers. @param writeOpening What it begins with, given how many cells are green. */
export function writeDriversSection(
  results: readonly DriverResult[],
  explanations: readonly DriverExplanation[],
  writeOpening: (green: string) => string,
): string {
  const nodes = [...new Set(results.map(({ node }) => node))].toSorted()
  const versions = [...new Map(results.map((result) => [`${result.driver} ${result.version}`, result])).values()]
  const rows = versions.map(({ driver, version }) => [
    code(driver),
    version,
    ...nodes.map((node) => {
      const found = results.find((result) => result.driver === driver && result.version === version && result.node === node)
      return found === undefined ? 'not run' : countGreen(found.findings)
    }),
  ])
  const flows = [...new Set(results.map(({ driver }) => driver))].map((driver) => {
    const names = new Set(results.filter((result) => result.driver === driver).flatMap(({ findings }) => findings.map(({ flow }) => flow)))
    return `- ${code(driver)}: ${[...names].join(', ')}`
  })
  const own = explanations.filter(({ driver }) => results.some((result) => result.driver === driver))
  const green = countGreen(results.flatMap(({ findings }) => findings))
  return `${writeOpening(green)}

${table(['driver', 'version', ...nodes], rows)}

The flows:

${flows.join('\n')}

### What is not green, and why

${own.length === 0 ? 'Nothing.' : own.map(explain).join('\n')}`
}

function countGreen(findings: readonly DriverFinding[]): string {
  return `${findings.filter(({ wrong }) => wrong.length === 0).length}/${findings.length}`
}

function isAbout({ driver, version, flow, time, node }: DriverExplanation, result: DriverResult, finding: DriverFinding): boolean {
  return (
    driver === result.driver &&
    (version === undefined || version === result.version) &&
    (flow === undefined || flow === finding.flow) &&
    (time === undefined || time === finding.time) &&
    (node === undefined || result.node.startsWith(`v${node}.`))
  )
}

function explain({ driver, version, flow, time, node, why }: DriverExplanation): string {
  const where = [
    `${code(driver)}${version === undefined ? '' : ` ${version}`}`,
    flow,
    time,
    node === undefined ? undefined : `Node ${node}`,
  ]
  return `- ${where.filter((part) => part !== undefined).join(', ')}: ${why}`
}

/** A package as code, with what is said of it beside it. */
function code(driver: string): string {
  const [name = '', ...rest] = driver.split(', ')
  return [name.startsWith('the ') ? name : `\`${name}\``, ...rest].join(', ')
}
