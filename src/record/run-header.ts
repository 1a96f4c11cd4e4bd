import { toRecordedFiles } from '../boundaries/files/files-option.ts'
import { FORMAT_VERSION } from '../trace/rows.ts'
import type { Runtime, RunRow } from '../trace/run-row.ts'
import type { RecorderOptions } from './recorder-options.ts'
import type { RuleSet } from '../redaction/rule-set.ts'
import { createRunId } from './run-id.ts'
import type { RunNames } from './run-names.ts'
import { GOLDENRUN_VERSION } from '../trace/version.ts'

/** What a run is, if it is not that of an agent. */
export type RunKind = Pick<RunRow, 'wholeProcess'>

/**
 * Creates the header of a run that begins now.
 *
 * @param input The run's input, in recorded form.
 */
export function createHeader(
  { agent, agentVersion, tags, hasContext, wholeProcess }: RunNames & RunKind & Pick<RunRow, 'hasContext'>,
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
    ...(hasContext === undefined ? {} : { hasContext }),
    ...(wholeProcess === undefined ? {} : { wholeProcess }),
    input,
    ...(tags === undefined ? {} : { tags }),
    startedAt,
    runtime: currentRuntime(options.env ?? []),
    ...comparedHeaders(options),
    contracts: { models: [], systemPrompts: [], tools: {} },
    fidelity: 'wire',
    redaction: { ...ruleSet.record, standIns: 0 },
    ...ambient,
    ...(options.effects === undefined ? {} : { effects: options.effects }),
    ...(options.mute === undefined ? {} : { muted: options.mute }),
    ...(options.record === undefined ? {} : { unmuted: options.record }),
    ...(options.files === undefined ? {} : { files: toRecordedFiles(options.files) }),
  }
}

function comparedHeaders({ compareHeaders = [] }: RecorderOptions): Pick<RunRow, 'compareHeaders'> {
  return compareHeaders.length === 0 ? {} : { compareHeaders: compareHeaders.map((name) => name.toLowerCase()) }
}

/** Describes where this process runs, for a trace's header. Only the named environment variables are kept; unset ones are kept as unset. */
function currentRuntime(environment: readonly string[]): Runtime {
  const env = environment.map((name) => [name, process.env[name] ?? null] as const)
  const nodeEnv = process.env['NODE_ENV'] ?? null
  return { node: process.versions.node, goldenrun: GOLDENRUN_VERSION, ...currentPlace(), env: Object.fromEntries(env), nodeEnv }
}

type Place = Pick<Runtime, 'timeZone' | 'locale'>

/** The result of `Intl`, with the time zone that the environment named: a program may change the time zone at any time, but not the locale. */
let known: { readonly named: string | undefined; readonly place: Place } | undefined

/** Caches the result: asking `Intl` takes a tenth of a millisecond, which every run would pay. */
function currentPlace(): Place {
  const named = process.env['TZ']
  if (known === undefined || known.named !== named) {
    const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions()
    known = { named, place: { timeZone, locale } }
  }
  return known.place
}
