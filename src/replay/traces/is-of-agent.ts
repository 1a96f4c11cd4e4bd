import { withoutStandInNumbers } from '../../divergence/stand-ins.ts'
import { createRedactor } from '../../redaction/redactor.ts'
import { recordedRuleSet } from '../../redaction/rule-set.ts'
import type { RunRow } from '../../trace/run-row.ts'

/** Whether a run is of an agent, whose name is redacted in the trace. */
export function isOfAgent({ agent, redaction }: RunRow, name: string): boolean {
  if (agent === name) return true
  const redacted = createRedactor({ ruleSet: recordedRuleSet(redaction) }).text(name)
  return withoutStandInNumbers(agent) === withoutStandInNumbers(redacted)
}
