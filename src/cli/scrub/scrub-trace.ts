import { createRedactor } from '../../redaction/redactor.ts'
import { recordedRuleSet, type RuleSet } from '../../redaction/rule-set.ts'
import { withStandIns } from '../../redaction/stand-in-rows.ts'
import { redactorStandIns, standInsOf } from '../../redaction/trace-stand-ins.ts'
import { toGoldenRows, toPieces } from '../../trace/compact.ts'
import type { Row } from '../../trace/rows.ts'
import type { RedactionRecord, RunRow } from '../../trace/run-row.ts'
import type { Trace } from '../../trace/trace.ts'
import { toRecorded } from '../../trace/values.ts'
import { scrubRows } from './scrub-rows.ts'

/** A trace that was redacted again. */
export interface ScrubbedTrace {
  /** The rows, with the header first. */
  readonly rows: readonly Row[]
  /** How many values have got a stand-in. */
  readonly values: number
}

/**
 * Redacts a trace again by other rules. Its stand-ins stay, and more are added; the header lists both rule sets, so that a replay redacts its live side
 * in the same way.
 *
 * @returns Undefined if the rules find nothing: the trace is then left as it is.
 */
export function scrubTrace(trace: Trace, ruleSet: RuleSet): ScrubbedTrace | undefined {
  const { header, rows } = trace
  const kept = recordedRuleSet(header.redaction)
  // Values kept on purpose are listed in the header.
  const keeps = (secret: string): boolean => ruleSet.keeps(secret) || kept.keeps(secret)
  const standIns = redactorStandIns(trace, () => highestNumber(trace))
  const redactor = createRedactor({ ruleSet: { ...ruleSet, keeps }, standIns })
  // A secret may be divided among pieces, and a stand-in may be longer than its value.
  const scrubbed = scrubRows(toPieces(rows), redactor)
  const [first, ...rest] = header.golden === undefined ? scrubbed : toGoldenRows(scrubbed)
  if (first?.kind !== 'run' || standIns.made === 0) return undefined
  const merged: RunRow = { ...first, redaction: merge(header.redaction, ruleSet.record) }
  return { rows: withStandIns([merged, ...rest], standIns), values: standIns.made }
}

function merge(recorded: RedactionRecord, { rules, own = [], keep = [] }: RuleSet['record']): RedactionRecord {
  const allOwn = [...(recorded.own ?? []).filter(({ name }) => own.every((rule) => rule.name !== name)), ...own]
  const allKept = new Map([...(recorded.keep ?? []), ...keep].map((each) => [JSON.stringify(each), each]))
  return {
    ...recorded,
    rules: [...new Set([...recorded.rules, ...rules])],
    ...(allOwn.length > 0 && { own: allOwn }),
    ...(allKept.size > 0 && { keep: [...allKept.values()] }),
  }
}

/** Stand-ins of earlier formats are known by their shape; new ones are numbered above all of them, also those that pieces of a body spell. */
function highestNumber({ header, rows, steps }: Trace): number {
  const texts = JSON.stringify(toRecorded([rows, steps.map(({ output }) => output)], () => undefined))
  return standInsOf({ header, rows })
    .find(texts)
    .reduce((highest, { number }) => Math.max(highest, number), 0)
}
