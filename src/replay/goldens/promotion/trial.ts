import type { Divergence } from '../../../divergence/divergence.ts'
import { printField } from '../../../divergence/print-value.ts'
import { tellPosition } from '../../../divergence/run-place.ts'
import { standInsOf } from '../../../redaction/trace-stand-ins.ts'
import type { Row } from '../../../trace/rows.ts'
import type { Expectation } from '../../../trace/run-row.ts'
import type { Trace } from '../../../trace/trace.ts'
import { toRecorded } from '../../../trace/values.ts'
import { type CodeConstant, keepOption, tellConstant } from './constants.ts'
import { PromoteError } from './promote-error.ts'
import { spelledTexts } from './to-golden.ts'
import { modulesWrittenSince } from './written-since.ts'

/** How many differences a message lists. */
const shown = 5

/**
 * Refuses a golden that the agent itself does not repeat, and names the differences. Incidents are judged by their own rule.
 *
 * @throws PromoteError with what differs, and possible reasons.
 */
export function refuseDivergent(
  trace: Trace,
  divergences: readonly Divergence[],
  expect: Expectation | undefined,
  constants: readonly CodeConstant[] = [],
): void {
  if (divergences.length === 0 || expect?.replay === 'departs') return
  const lines = divergences.flatMap((divergence) => describe(divergence))
  const more = lines.length > shown ? [`and ${lines.length - shown} more`] : []
  const { header, rows } = trace
  const standIns = standInsOf(trace)
  const values = [...rows.filter(({ kind }) => kind !== 'stand-in'), ...spelledTexts(trace)]
  const isRedacted = values.some((each) => standIns.find(JSON.stringify(toRecorded(each))).length > 0)
  throw new PromoteError('GOLDENRUN_PROMOTE_DOES_NOT_REPLAY', {
    trace: header.id,
    problem: `the agent does not repeat the recorded run:\n${[...lines.slice(0, shown), ...more].map((line) => `  ${line}\n`).join('')}`,
    advice: `${constants.map(adviseToKeep).join('')}${adviseOnSharedCalls(rows, divergences)}${
      isRedacted
        ? 'If a redacted value causes this: name public values in redact.keep, turn the rule off in redact.off, or change the code so that it ' +
          'does not inspect the value, and record the run again. '
        : ''
    }${adviseByDates(header.startedAt)}`,
  })
}

/** Whether the agent is the one that made the run, as far as the dates of its files tell. */
function adviseByDates(startedAt: string): string {
  const written = modulesWrittenSince(new Date(startedAt))
  const promoteAnother = 'promote a run of the current agent'
  const leaveOut =
    "leave the place out (replay: { ignore: ['<path>'] }), or make its source a step, external('name', fn), and record the run again. See " +
    'docs/limits.md#values-that-goldenrun-does-not-see.'
  if (written?.length === 0)
    return `No module of the agent was written after this run was recorded, so goldenrun could not reproduce something that the run had: ${leaveOut}`
  const [first, ...others] = written ?? []
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  const were = others.length === 0 ? 'was' : 'were'
  const known = first === undefined ? '' : `${first}${more} ${were} written after this run was recorded. `
  return `${known}If the agent has changed since, ${promoteAnother}. If not, ${leaveOut}`
}

/** Only for a value that the run was, or may have been, given as well. Other values are equal as stand-ins. */
function adviseToKeep(constant: CodeConstant): string {
  const path = constant.places[0]?.path ?? ''
  if (!constant.alsoGiven) return ''
  return (
    `The code itself passes ${tellConstant(constant)}, where the trace has a stand-in for something that the run was given. ` +
    `If that was the same value, keep it: ${keepOption(constant)}, { keepConstants: [${JSON.stringify(path)}] }. `
  )
}

/** If another run's call answered this run, the run's own trace does not have that call. */
function adviseOnSharedCalls(rows: readonly Row[], divergences: readonly Divergence[]): string {
  const names = divergences.flatMap(({ name }) => (name === undefined ? [] : [`${name}: `]))
  const notes = rows.flatMap((row) => (row.kind === 'note' && row.what === 'shared-call' ? [row.where] : []))
  const shared = notes.filter((where) => names.some((name) => where.startsWith(name)))
  if (shared.length === 0) return ''
  return (
    `When this was recorded, one call may have answered several runs, as with a batching loader (${shared.join('; ')}). ` +
    'Wrap the calls to the loader with external(), or create a loader for each run, and record the run again. '
  )
}

function describe(divergence: Divergence): string[] {
  const { cause, name, differences } = divergence
  const what = `${tellPosition(divergence)}${name === undefined ? '' : ` (${name})`}: ${cause.replaceAll('-', ' ')}`
  if (differences.length === 0) return [what]
  return differences.map(({ path, expected, received }) => {
    const values = `expected ${printField(expected, 60)}, received ${printField(received, 60)}`
    return `${what}${path === '' ? '' : ` at ${path}`}: ${values}`
  })
}
