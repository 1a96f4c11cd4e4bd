import type { MarkdownFinding } from '../../divergence/report/print-groups.ts'
import type { GoldenReport, GoldenResult } from './golden-result.ts'

/** What came of the goldens of a whole run of the tests. */
export interface GatheredResults {
  /** What came of each golden, by its file: the worst of what its tests say. */
  readonly goldens: readonly GoldenResult[]
  /** Those that are rebased, once each. */
  readonly rebased: readonly GoldenResult[]
  /** Those that `-u` leaves as they are, once each. */
  readonly refused: readonly GoldenResult[]
  /** Those whose tests come to different new inputs, with the tests. */
  readonly disputed: readonly DisputedGolden[]
  /** Each change once. */
  readonly findings: readonly Finding[]
}

/** A golden that two tests would rebase to different texts. */
export interface DisputedGolden {
  readonly name: string
  /** What each of its tests wants. */
  readonly tests: readonly string[]
}

/** A report on goldens, with the names of the others that it tells of too. */
export interface Finding extends GoldenReport, MarkdownFinding {}

/** The worst first. */
export const statuses: readonly GoldenResult['status'][] = [
  'not held',
  'repeated',
  'not exercised',
  'failed',
  'could not run',
  'rebased',
  'recorded',
  'held',
]

/** Puts together what the tests of a run say of goldens. */
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

/** Whether a new text of the golden would break another of its tests. One that has options of its own may hold with both. */
function isDisputed(tests: readonly GoldenResult[]): boolean {
  const wanted = new Set(tests.filter(hasSay).map(({ rebase }) => rebase?.key))
  return wanted.size > 1 && tests.some(({ rebase }) => rebase !== undefined)
}

function hasSay({ rebase, status, hasOptions = false }: GoldenResult): boolean {
  return rebase !== undefined || (status === 'held' && !hasOptions)
}

function sayOf({ test, file, rebase }: GoldenResult): string {
  return `${test ?? file}: ${rebase === undefined ? 'holds as it is' : `would take over ${changesOf(rebase.changes.length)}`}`
}

function changesOf(count: number): string {
  return count === 1 ? '1 change' : `${count} changes`
}

function leftAsItIs(result: GoldenResult): GoldenResult {
  return result.status === 'rebased' ? { ...result, status: 'not held' } : result
}

function worstOf(tests: readonly GoldenResult[]): GoldenResult[] {
  return tests.toSorted((one, other) => statuses.indexOf(one.status) - statuses.indexOf(other.status)).slice(0, 1)
}

/** The reports, each change once, with the names of the other goldens that carry it. */
function groupFindings(results: readonly GoldenResult[]): Finding[] {
  const reported = results.flatMap(({ name, report }) => (report === undefined ? [] : [{ name, report }]))
  return [...Map.groupBy(reported, ({ report }) => report.key).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const names = new Set(others.map(({ name }) => name))
    names.delete(first.name)
    return [{ ...first.report, alsoIn: [...names] }]
  })
}
