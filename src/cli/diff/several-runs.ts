import { describeCall } from '../../divergence/describe-call.ts'
import { cutText } from '../../divergence/print-value.ts'
import { tellPosition } from '../../divergence/run-place.ts'
import type { RunBesideOthers, SeveralRuns } from '../../replay/compare/compare-several.ts'
import { nameOfWrite } from '../../trace/side-effects.ts'
import type { Trace } from '../../trace/trace.ts'
import { errorText, valueText } from '../describe-step.ts'
import { formatTable } from '../table.ts'

/** The maximum length of an outcome and of side effects in the table. */
const longest = 40

/** Formats several runs as a table, each compared with the first. */
export function formatSeveral({ runs }: SeveralRuns): string {
  const rows = runs.map((run, index) => {
    const { trace, sideEffects, modelCalls, toolCalls, usage } = run
    return [
      trace.header.golden?.name ?? trace.header.id,
      cutText(outcomeOf(trace), longest),
      cutText(sideEffects.map(nameOfWrite).join(', ') || 'none', longest),
      String(modelCalls),
      String(toolCalls),
      String(usage.inputTokens + usage.outputTokens),
      index === 0 ? '' : differenceOf(run),
    ]
  })
  const header = ['RUN', 'OUTCOME', 'SIDE EFFECTS', 'MODEL', 'TOOL', 'TOKENS', 'FIRST DIFFERENCE']
  return formatTable(header, rows, ['MODEL', 'TOOL', 'TOKENS']).join('\n')
}

/** Returns several runs as data. */
export function severalToJson({ runs }: SeveralRuns): object {
  return {
    runs: runs.map(({ trace, sideEffects, difference, ...counts }) => ({
      id: trace.header.id,
      ...(trace.header.golden && { golden: trace.header.golden.name }),
      outcome: outcomeOf(trace),
      sideEffects: sideEffects.map(({ step, name, input }) => ({ step, name, input })),
      ...counts,
      ...(difference && {
        difference: { step: difference.step, position: difference.position, cause: difference.cause, name: difference.name },
      }),
    })),
  }
}

function outcomeOf({ end }: Trace): string {
  if (end === undefined) return 'never ended'
  return end.error === undefined ? valueText(end.output) : `throws ${errorText(end.error)}`
}

function differenceOf({ difference }: RunBesideOthers): string {
  if (difference === undefined) return 'none'
  const { cause, name, boundary, received } = difference
  const call =
    name === undefined || boundary === undefined || received === undefined ? (name ?? '') : describeCall(boundary, name, received, longest)
  return `${tellPosition(difference)}: ${cause.replaceAll('-', ' ')}${call === '' ? '' : ` (${cutText(call, longest)})`}`
}
