import { toRecordedFiles } from '../boundaries/files/files-option.ts'
import { FORMAT_VERSION } from '../trace/rows.ts'
import type { Runtime, RunRow } from '../trace/run-row.ts'
import type { RecorderOptions } from './recorder-options.ts'
import type { RuleSet } from '../redaction/rule-set.ts'
import { createRunId } from './run-id.ts'
import type { RunNames } from './run-names.ts'
import { GOLDENRUN_VERSION } from '../trace/version.ts'

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
    ...(options.files === undefined ? {} : { files: toRecordedFiles(options.files) }),
  }
}

function comparedHeaders({ compareHeaders = [] }: RecorderOptions): Pick<RunRow, 'compareHeaders'> {
  return compareHeaders.length === 0 ? {} : { compareHeaders: compareHeaders.map((name) => name.toLowerCase()) }
}

/** Where this process runs, for a trace's header. Of the environment only the named variables are kept, those that are not set as that. */
function currentRuntime(environment: readonly string[]): Runtime {
  const env = environment.map((name) => [name, process.env[name] ?? null] as const)
  const nodeEnv = process.env['NODE_ENV'] ?? null
  return { node: process.versions.node, goldenrun: GOLDENRUN_VERSION, ...currentPlace(), env: Object.fromEntries(env), nodeEnv }
}

type Place = Pick<Runtime, 'timeZone' | 'locale'>

/** What `Intl` said, and the time zone that the environment named: a program may set another at any time, but no other locale. */
let known: { readonly named: string | undefined; readonly place: Place } | undefined

/** Asking `Intl` takes a tenth of a millisecond, which each run would pay. */
function currentPlace(): Place {
  const named = process.env['TZ']
  if (known === undefined || known.named !== named) {
    const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions()
    known = { named, place: { timeZone, locale } }
  }
  return known.place
}
