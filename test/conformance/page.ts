import { behaviours, type Behaviour } from './behaviours.ts'
import type { Ability } from './client.ts'
import { doors } from './doors.ts'
import { table } from './table.ts'
import type { Finding, Time } from './trial.ts'

/** What came of one door on one version of Node. */
export interface TrialResult {
  readonly door: string
  readonly time: Time
  /** As `process.version` gives it. */
  readonly node: string
  readonly findings: readonly Finding[]
}

/** A cell that is not green, and why. */
export interface Explanation {
  readonly door: string
  readonly behaviour: string
  /** Default: both. */
  readonly time?: Time
  /** A major version of Node. Default: all. */
  readonly node?: number
  readonly why: string
}

/** Why a client does not show what needs an ability. */
const missing: Readonly<Record<Ability, string>> = {
  follow: 'does not follow redirects',
  manual: 'always follows redirects',
  below:
    'decodes by itself, above the boundary: which of two answers that arrive within a millisecond it is done with first is its own affair',
  decode: 'hands out answers encoded as they came',
  head: 'sends no HEAD',
  form: 'sends no form of its own making here (see its client)',
  trailers: 'does not tell trailers, of which only the body is compared',
  clone: 'has no `clone()`',
  tee: 'has no `tee()`',
  upload: 'does not stream an upload',
}

/** The cells that are neither green nor explained, one line each. */
export function unexplained(results: readonly TrialResult[], explanations: readonly Explanation[]): string[] {
  return results.flatMap((result) =>
    result.findings
      .filter(({ behaviour, wrong }) => wrong.length > 0 && !explanations.some((explanation) => isAbout(explanation, result, behaviour)))
      .map(({ behaviour, wrong }) => `${result.door}, ${result.time}, ${result.node}, ${behaviour}: ${wrong.join('; ').slice(0, 600)}`),
  )
}

/** The section of the HTTP clients. */
export function writeClientsSection(results: readonly TrialResult[], explanations: readonly Explanation[]): string {
  const nodes = [...new Set(results.map(({ node }) => node))].toSorted()
  const columns = nodes.flatMap((node) => (['early', 'late'] as const).map((time) => ({ node, time })))
  const cells = results.reduce((count, { findings }) => count + findings.length, 0)
  const green = results.reduce((count, { findings }) => count + findings.filter(({ wrong }) => wrong.length === 0).length, 0)
  const doorRows = Object.keys(doors).map((door) => [
    `\`${door}\``,
    ...columns.map(({ node, time }) => {
      const findings = results.find((result) => result.door === door && result.node === node && result.time === time)?.findings ?? []
      return `${findings.filter(({ wrong }) => wrong.length === 0).length}/${findings.length}`
    }),
  ])
  const behaviourRows = behaviours.map((behaviour) => {
    const all = results.flatMap(({ findings }) => findings.filter((finding) => finding.behaviour === behaviour.name))
    return [
      behaviour.name,
      behaviour.what,
      `${all.filter(({ wrong }) => wrong.length === 0).length}/${all.length}`,
      notShown(behaviour, results),
    ]
  })
  return `## HTTP clients

${green} of ${cells} cells are green. A cell is one program that uses one client. It is run against a server on loopback without a recorder, then recorded, then replayed with
the server gone. It is green when the recorded run saw what the plain one saw, and the replay what the recording saw, with no divergence,
an equal hash, no note of an unrecorded contact and not one connection opened. Early: the client was loaded, built and used before the first
line of goldenrun was loaded. Late: after a recorder was made, and anew in each run.

### Doors

Green cells of all, by version of Node and the time at which the client was made.

${table(['door', ...columns.map(({ node, time }) => `${node} ${time}`)], doorRows)}

\`fetch + Agent\` is \`fetch\` with a dispatcher of its own from the package undici; \`Client\`, \`Pool\` and \`Agent\` are that package's, used by \`request\`.

### Behaviours

${table(['behaviour', 'the program', 'green', 'not shown by'], behaviourRows)}

### What is not green, and why

${explanations.length === 0 ? 'Nothing.' : explanations.map(explain).join('\n')}

### What the table cannot show

- What a client hands out encoded as it came is the recorded text encoded anew in a replay: decoded it is the same, its bytes and its length are others.
- Cookies that a server sets are not kept, and not there in a replay.
- A copy of undici inside a bundle, all of whose dispatchers were made before the recorder and have sent nothing yet, shows with its first
  request: that one is noted as an unrecorded contact, the next are recorded.
- A request that is aborted while its connection is still being made, by a client that took hold of \`fetch\` before goldenrun, is recorded as one that never settled.
`
}

function isAbout({ door, behaviour, time, node }: Explanation, result: TrialResult, name: string): boolean {
  return (
    door === result.door &&
    behaviour === name &&
    (time === undefined || time === result.time) &&
    (node === undefined || result.node.startsWith(`v${node}.`))
  )
}

function explain({ door, behaviour, time, node, why }: Explanation): string {
  const where = [`\`${door}\``, ...(time === undefined ? [] : [time]), ...(node === undefined ? [] : [`Node ${node}`])].join(', ')
  return `- ${behaviour}, ${where}: ${why}`
}

/** The doors that a behaviour was not tried through, by the ability that they lack. */
function notShown({ name, needs = [] }: Behaviour, results: readonly TrialResult[]): string {
  const absent = Object.keys(doors).filter((door) => {
    const tried = results.filter((result) => result.door === door)
    return tried.length > 0 && !tried.some(({ findings }) => findings.some(({ behaviour }) => behaviour === name))
  })
  if (absent.length === 0) return ''
  return `${absent.map((door) => `\`${door}\``).join(', ')}: ${needs.map((need) => missing[need]).join('; ')}`
}
