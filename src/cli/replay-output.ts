import { tellUnproven } from '../divergence/report/notes.ts'
import { groupReports } from '../divergence/report/group-reports.ts'
import { toJsonReport } from '../divergence/report/json-report.ts'
import { codeBlock, escapeMarkdown } from '../divergence/report/markdown/syntax.ts'
import { findingOf, findingsToMarkdown, groupsToTerminal, type MarkdownFinding, tellCounts } from '../divergence/report/print-groups.ts'
import { omitUndefined } from '../trace/json.ts'
import { printable } from '../trace/printable.ts'
import { COULD_NOT_RUN, DIVERGED, HELD } from './exit-status.ts'
import type { TraceResult } from './trace-result.ts'
import type { Terminal } from './terminal.ts'
import { count } from './units.ts'

/** The result of replaying traces, in every form in which it can be printed. */
export interface ReplayOutput {
  /** The exit status. */
  readonly status: number
  readonly text: string
  readonly markdown: string
  readonly json: object
}

/** Returns the output of a replay. @param options Whether the agents had no network. Default: they had one. */
export function toOutput(
  results: readonly TraceResult[],
  terminal: Pick<Terminal, 'colors' | 'width'>,
  { isWithoutNetwork = false }: { readonly isWithoutNetwork?: boolean } = {},
): ReplayOutput {
  const status = statusOf(results)
  const network = !isWithoutNetwork ? '' : status === HELD ? ' Without a network.' : ' Without a network (--network gives one).'
  const text = `${toText(results, terminal)}${network}`
  const json = { ...toJson(results), ...(isWithoutNetwork && { network: 'none' }) }
  return { status, text, markdown: toMarkdown(results), json }
}

function statusOf(results: readonly TraceResult[]): number {
  if (results.some(({ status }) => status === 'could not run')) return COULD_NOT_RUN
  return results.every(({ status }) => status === 'held') ? HELD : DIVERGED
}

function toText(results: readonly TraceResult[], { colors, width }: Pick<Terminal, 'colors' | 'width'>): string {
  const style = { color: colors.isColorSupported, width }
  const groups = groupReports(reportsOf(results))
  const blocks = groups.length === 0 ? [] : [groupsToTerminal(groups, style)]
  const failures = failed(results).map(({ how, name, message }) => `${colors.red(`${how} ${printable(name)}:`)} ${message}`)
  const held = results.flatMap(({ name, evidence }) => (evidence === undefined ? [] : [printable(`Held ${name}: ${evidence}.`)]))
  const notes = results.flatMap(({ name, note }) => (note === undefined ? [] : [printable(`Held ${name}. ${note}`)]))
  const pages = results.flatMap(({ page }) => (page === undefined ? [] : [page]))
  const seen = pages.length === 0 ? [] : [`To see the runs:\n${pages.map((page) => `  ${printable(page)}`).join('\n')}`]
  const counts = (['not held', 'repeated', 'not exercised', 'failed', 'could not run', 'held'] as const).flatMap((status) => {
    const { length } = results.filter((result) => result.status === status)
    return length === 0 ? [] : [status === 'held' ? colors.green(`${length} held`) : colors.red(`${length} ${status}`)]
  })
  return [
    ...blocks,
    ...failures,
    ...held,
    ...unproven(results).map(printable),
    ...notes,
    ...seen,
    `${colors.bold(`${count(results.length, 'trace')} replayed:`)} ${counts.join(', ')}.`,
  ].join('\n\n')
}

function toMarkdown(results: readonly TraceResult[]): string {
  const findings = [...groupReports(reportsOf(results)).map(findingOf), ...failed(results).map(failureToMarkdown)]
  return [
    ...(findings.length === 0 ? [] : [findingsToMarkdown(findings)]),
    ...unproven(results).map(escapeMarkdown),
    tellCounts(results.map(({ status }) => status)),
  ].join('\n\n')
}

function failureToMarkdown({ how, name, message }: Failed): MarkdownFinding {
  return { markdown: `### ${escapeMarkdown(`${how} "${name}"`)}\n\n${codeBlock(message, 'text')}`, alsoIn: [] }
}

/** What held without proof: the same note of several traces is told once. */
function unproven(results: readonly TraceResult[]): string[] {
  const notes = results.flatMap(({ name, credentials = [] }) => tellUnproven(credentials).map((note) => ({ name, note })))
  return [...Map.groupBy(notes, ({ note }) => note)].map(([note, some]) => `Held ${some.map(({ name }) => name).join(', ')}. ${note}`)
}

function toJson(results: readonly TraceResult[]): object {
  const number = (wanted: TraceResult['status']): number => results.filter(({ status }) => status === wanted).length
  return {
    counts: {
      held: number('held'),
      notHeld: number('not held'),
      repeated: number('repeated'),
      notExercised: number('not exercised'),
      failed: number('failed'),
      couldNotRun: number('could not run'),
    },
    traces: results.map(({ name, file, status, evidence, note, message, page, standIns, drawn, credentials }) =>
      omitUndefined({ name, file, status, evidence, note, message, page, standIns, drawn, credentials }),
    ),
    reports: groupReports(reportsOf(results)).map(({ report, alsoIn }) => toJsonReport(report, alsoIn)),
  }
}

function reportsOf(results: readonly TraceResult[]): NonNullable<TraceResult['report']>[] {
  return results.flatMap(({ report, status }) => (report === undefined || status === 'could not run' ? [] : [report]))
}

/** A trace that could not be judged by a replay. */
interface Failed {
  readonly how: string
  readonly name: string
  readonly message: string
}

function failed(results: readonly TraceResult[]): Failed[] {
  return results.flatMap(({ name, status, message }) =>
    message === undefined ? [] : [{ how: status === 'could not run' ? 'Could not replay' : 'Failed to hold', name, message }],
  )
}
