import { FORMAT_VERSION } from '../trace/rows.ts'
import type { RunRow } from '../trace/run-row.ts'
import type { RecorderOptions, RunOptions } from './recorder-options.ts'
import type { RuleSet } from '../redaction/rule-set.ts'
import { createRunId } from './run-id.ts'
import { currentRuntime } from './runtime.ts'

/**
 * The header of a run that begins now.
 *
 * @param input The run's, in recorded form.
 */
export function createHeader(
  run: RunOptions<unknown, unknown>,
  input: unknown,
  traceId: string,
  options: RecorderOptions,
  ruleSet: RuleSet,
  ambient: Pick<RunRow, 'ambient'>,
): RunRow {
  const startedAt = new Date().toISOString()
  const agentVersion = run.agentVersion ?? options.agentVersion
  return {
    kind: 'run',
    format: FORMAT_VERSION,
    id: createRunId(startedAt),
    traceId,
    agent: run.agent,
    ...(agentVersion === undefined ? {} : { agentVersion }),
    input,
    ...(run.tags === undefined ? {} : { tags: run.tags }),
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
