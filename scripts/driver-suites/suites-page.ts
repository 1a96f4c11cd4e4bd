import { readSection, replaceSection } from '../../test/conformance/section.ts'
import { table } from '../../test/conformance/table.ts'
import type { Verdict } from './compare-file.ts'

/** The result of a driver's tests. */
export interface SuiteResult {
  /** The name of the suite. */
  readonly name: string
  /** The version of the driver and the commit of its checkout. */
  readonly checkout: string
  /** In the form of `process.version`. */
  readonly node: string
  /** The conditions of the run: `on a machine that did nothing else`. */
  readonly under?: string | undefined
  /** The number of test files in the checkout. */
  readonly files: number
  /** What the files do not include, as a sentence. */
  readonly without?: string | undefined
  /** Why files differ or fail, by their names. */
  readonly explained: Readonly<Record<string, string>>
  /** The verdicts on the files that were run. */
  readonly verdicts: readonly Verdict[]
}

/** The most names of tests that are listed per file. */
const shown = 5

const introduction = `## The drivers' own tests

Written by \`node scripts/driver-suite.ts <driver> <checkout> --write\`. Each file of a driver's own tests is run without goldenrun and in a process
that is recorded from its first line to its last, against a real server. It is the same when every test of it passes, fails or is skipped as it does
without recording, and the process ends with the same status. What differs is run four more times, each time both ways: a file is flaky if it
varies by itself, or if only one of its recorded runs was different.`

/** Returns the page with its old results of a driver's tests replaced. */
export function replaceSuite(page: string, result: SuiteResult): string {
  const section = readSection(page, 'suites')
  const parts = section === '' ? introduction : introduction + section.slice(Math.max(section.indexOf('\n\n<!-- suite '), 0))
  return replaceSection(page, 'suites', replaceSection(parts, `suite ${result.name}`, writeSuite(result)))
}

function writeSuite({ name, checkout, node, under, files, without, explained, verdicts }: SuiteResult): string {
  const of = (...kinds: readonly Verdict['kind'][]): Verdict[] => verdicts.filter(({ kind }) => kinds.includes(kind))
  const sum = (count: (verdict: Verdict) => number): string => String(verdicts.reduce((total, verdict) => total + count(verdict), 0))
  const notes = [
    ...new Set(verdicts.flatMap((verdict) => verdict.notes.map((note) => note.replace(/^unix socket .*/, 'unix socket')))),
  ].toSorted()
  const counts = table(
    ['files', 'tests', 'the same when recorded', 'flaky', 'different', 'steps of the driver'],
    [
      [
        verdicts.length === files ? String(files) : `${verdicts.length} of ${files}`,
        sum(({ tests }) => tests),
        String(of('same', 'fails').length),
        String(of('flaky').length),
        String(of('different').length),
        `${sum(({ driverSteps }) => driverSteps)}, in ${verdicts.filter(({ driverSteps }) => driverSteps > 0).length} files`,
      ],
    ],
  )
  const parts = [
    `### \`${name}\``,
    `${checkout}, on Node ${node}${under === undefined ? '' : `, ${under}`}.`,
    counts,
    without === undefined ? '' : `${without}.`,
    list('Different when recorded:', of('different'), explained),
    list('Flaky:', of('flaky')),
    list('These fail in the same way without recording:', of('fails'), explained),
    notes.length === 0 ? '' : `Noted as unrecorded contacts: ${notes.map(toText).join(', ')}.`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function list(title: string, verdicts: readonly Verdict[], explained: SuiteResult['explained'] = {}): string {
  if (verdicts.length === 0) return ''
  const rows = verdicts.map(({ file, details }) => {
    const more = details.length > shown ? [`${details.length - shown} more`] : []
    const why = explained[file]
    if (why !== undefined) return `- \`${file}\`: ${why}.`
    return `- \`${file}\`: ${[...details.slice(0, shown), ...more].map(toText).join('; ')}`
  })
  return [title, '', ...rows].join('\n')
}

/** Returns a test's message on one line, with Markdown escaped. */
function toText(detail: string): string {
  const line = detail.replaceAll(/\s+/g, ' ').replaceAll(/[<>|`*_[\]]/g, (character) => `\\${character}`)
  return line.length > 200 ? `${line.slice(0, 200)}…` : line.trimEnd()
}
