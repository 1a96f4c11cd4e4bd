import { FORMAT_VERSION } from '../trace/rows.ts'
import type { RunRow } from '../trace/run-row.ts'
import type { RecorderOptions } from './recorder-options.ts'
import type { RuleSet } from '../redaction/rule-set.ts'
import { createRunId } from './run-id.ts'
import type { RunNames } from './run-names.ts'
import { currentRuntime } from './runtime.ts'

/**
 * The header of a run that begins now.
 *
 * @param input The run's, in recorded form.
 */
export function createHeader(
  { agent, agentVersion, tags }: RunNames,
  input: unknown,
  traceId: string,
  options: RecorderOptions,
  ruleSet: RuleSet,
  ambient: Pick<RunRow, 'ambient'>,
): RunRow {
  const startedAt = new Date().toISOString()
  return {
    kind: 'run',
    format: FORMAT_VERSION,
    id: createRunId(startedAt),
    traceId,
    agent,
    ...(agentVersion === undefined ? {} : { agentVersion }),
    input,
    ...(tags === undefined ? {} : { tags }),
    startedAt,
    runtime: currentRuntime(options.env ?? []),
    ...comparedHeaders(options),
    contracts: { models: [], systemPrompts: [], tools: {} },
    fidelity: 'wire',
    redaction: { ...ruleSet.record, standIns: 0 },
    ...ambient,
    ...(options.mute === undefined ? {} : { muted: options.mute }),
  }
}

function comparedHeaders({ compareHeaders = [] }: RecorderOptions): Pick<RunRow, 'compareHeaders'> {
  return compareHeaders.length === 0 ? {} : { compareHeaders: compareHeaders.map((name) => name.toLowerCase()) }
}
