import { table } from '../table.ts'
import type { ChangedAgent, Packages, ResponseAgent, ResponseUse, Upgrade } from './sdk-tables.ts'
import type { SdkFinding } from './sdk-trial.ts'

/** What came of a row of a table. */
export interface SdkResult<Row> {
  readonly row: Row
  readonly findings: readonly SdkFinding[]
}

/** The part of the page about SDKs. */
export function writeSdksSection(
  upgrades: readonly SdkResult<Upgrade>[],
  changes: readonly SdkResult<ChangedAgent>[],
  responses: readonly SdkResult<ResponseAgent>[],
): string {
  return `## SDKs

Written by \`npm run conformance:sdks\`. Each agent uses a released SDK and is recorded with a server on loopback and the keys of one machine. It is
replayed in another process, with the server gone and the keys of another machine. Unchanged, it is replayed five times. The expected results are in
\`test/conformance/sdks/sdk-tables.ts\`; a result that is not as expected is in bold.

### New versions

Recorded with one version, and replayed with the other. Held: green, and nothing to report. Drift: green, and the report names what the new version
changed.

${table(
  ['recorded with', 'replayed with', 'unchanged', 'result', 'why'],
  upgrades.map(({ row, findings: [same, after] }) => [name(row.from), name(row.to), shown(same), shown(after), row.because ?? '']),
)}

### Harmful changes that only headers show

${table(
  ['package', 'unchanged', 'change', 'result'],
  changes.flatMap(({ row, findings: [same, ...changed] }) =>
    changed.map((finding, index) => [index === 0 ? name(row.packages) : '', index === 0 ? shown(same) : '', finding.tried, shown(finding)]),
  ),
)}

### What an agent gets back

Agents that use what a response has beside its JSON body:

${Object.entries(meanings)
  .map(([use, meaning]) => `- **${use}**: ${meaning}`)
  .join('\n')}

Unchanged, an agent has to return the recorded output. Each change is harmful.

${table(
  ['package', 'uses', 'unchanged', 'change', 'result'],
  responses.flatMap(({ row, findings: [same, ...changed] }) =>
    changed.map((finding, index) => [
      ...(index === 0 ? [name(row.packages), row.uses.join(', '), shown(same)] : ['', '', '']),
      finding.tried,
      shown(finding),
    ]),
  ),
)}`
}

/** In the words of the page. */
const meanings: Readonly<Record<ResponseUse, string>> = {
  headers: 'ids, metadata or the next page, which are only in headers.',
  retry: 'a header, the status or its text decides whether and when a call is sent again. The server fails once.',
  length: 'the body is read with `http.request` by its `content-length`, and redaction changes an e-mail address in it.',
  digest: 'a digest of the body is checked. Redaction changes an e-mail address in it, except for SQS, whose digest is within the body.',
  cookies: 'a session.',
  upload: 'a header or an address of the response says where an upload goes on.',
  stream: 'events or lines. The server closes the connection right after the last one.',
  host: 'a model, a prompt, a flag or a figure is read at a host that looks like one for telemetry. It is recorded.',
}

/** The findings that are not as expected, one line each. */
export function unexpectedFindings(agent: string, findings: readonly SdkFinding[]): string[] {
  return findings
    .filter(({ found, expected }) => found !== expected)
    .map(({ tried, found, expected, details }) => `${agent}, ${tried}: expected ${expected}, found ${found}: ${details}`)
}

function shown(finding: SdkFinding | undefined): string {
  if (finding === undefined) return 'not run'
  return finding.found === finding.expected ? finding.found : `**${finding.found}**`
}

function name(packages: Packages): string {
  return packages.map((each) => `\`${each}\``).join(', ')
}
