import type { MarkdownFinding } from '../../divergence/report/print-groups.ts'
import type { GoldenReport, GoldenResult } from './golden-result.ts'

/** The results of all goldens in a test run. */
export interface GatheredResults {
  /** One result per golden file: the worst of its tests. */
  readonly goldens: readonly GoldenResult[]
  /** Rebased goldens, each once. */
  readonly rebased: readonly GoldenResult[]
  /** Goldens that `-u` does not rebase, each once. */
  readonly refused: readonly GoldenResult[]
  /** Goldens whose tests disagree on the new inputs, with those tests. */
  readonly disputed: readonly DisputedGolden[]
  /** The reports on failing goldens, each change once. */
  readonly findings: readonly Finding[]
}

/** A golden that its tests would rebase to different texts. */
export interface DisputedGolden {
  readonly name: string
  /** What each of its tests would write. */
  readonly tests: readonly string[]
}

/** A report, with the names of the other goldens that have the same change. */
export interface Finding extends GoldenReport, MarkdownFinding {}

/** Statuses, the worst first. A golden that one test does not look at has the status that another test gives it. */
export const statuses: readonly GoldenResult['status'][] = [
  'not held',
  'repeated',
  'not exercised',
  'failed',
  'could not run',
  'rebased',
  'recorded',
  'held',
  'not asserted',
]

/** Gathers the golden results of a test run. */
export function gatherResults(results: readonly GoldenResult[]): GatheredResults {
  const byFile = [...Map.groupBy(results.toSorted(byPlace), ({ file }) => file).values()]
  const disputed = byFile.filter(isDisputed)
  const agreed = byFile.filter((tests) => !isDisputed(tests))
  return {
    goldens: byFile.flatMap((tests) => worstOf(isDisputed(tests) ? tests.map(leftAsItIs) : tests)),
    rebased: agreed.flatMap((tests) => tests.filter(({ rebase }) => rebase !== undefined).slice(0, 1)),
    refused: agreed.flatMap((tests) => tests.filter(({ refusal }) => refusal !== undefined).slice(0, 1)),
    disputed: disputed.map((tests) => ({ name: tests[0]?.name ?? '', tests: tests.filter(hasSay).map(sayOf) })),
    findings: groupFindings(results),
  }
}

function byPlace(one: GoldenResult, other: GoldenResult): number {
  const places = [one, other].map(({ file, test = '' }) => `${file}\n${test}`)
  return (places[0] ?? '') < (places[1] ?? '') ? -1 : 1
}

/** Returns whether rebasing the golden would break another of its tests. A test with its own options may hold with both texts. */
function isDisputed(tests: readonly GoldenResult[]): boolean {
  const wanted = new Set(tests.filter(hasSay).map(({ rebase }) => rebase?.key))
  return wanted.size > 1 && tests.some(({ rebase }) => rebase !== undefined)
}

function hasSay({ rebase, status, hasOptions = false }: GoldenResult): boolean {
  return rebase !== undefined || (status === 'held' && !hasOptions)
}

function sayOf({ test, file, rebase }: GoldenResult): string {
  return `${test ?? file}: ${rebase === undefined ? 'holds as it is' : `would accept ${count(rebase.changes.length, 'change')}`}`
}

/** Formats a count: `1 golden`, `2 goldens`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}

function leftAsItIs(result: GoldenResult): GoldenResult {
  return result.status === 'rebased' ? { ...result, status: 'not held' } : result
}

function worstOf(tests: readonly GoldenResult[]): GoldenResult[] {
  return tests.toSorted((one, other) => statuses.indexOf(one.status) - statuses.indexOf(other.status)).slice(0, 1)
}

/** Groups the reports so that each change appears once, with the names of the other goldens that have it. */
function groupFindings(results: readonly GoldenResult[]): Finding[] {
  const reported = results.flatMap(({ name, report }) => (report === undefined ? [] : [{ name, report }]))
  return [...Map.groupBy(reported, ({ report }) => report.key).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const names = new Set(others.map(({ name }) => name))
    names.delete(first.name)
    return [{ ...first.report, alsoIn: [...names] }]
  })
}
