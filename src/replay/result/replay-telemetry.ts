import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { beginTelemetry } from '../../record/telemetry/guarded-run.ts'
import type { RunTelemetry, Telemetry } from '../../record/telemetry/telemetry.ts'
import { warnOnce } from '../../record/warn-once.ts'
import { toRecordedError } from '../../trace/recorded-error.ts'
import type { Trace } from '../../trace/trace.ts'
import type { ReplayedRun } from '../contract/replayed-run.ts'

/** A replayed trace, and its file if known. */
export interface ReplayedTrace {
  readonly trace: Trace
  readonly file?: string
}

/** The telemetry of one replay. */
export interface ReplayTelemetry extends Pick<RunTelemetry, 'inRun'> {
  /** The replay is over. */
  end(replayed: ReplayedRun): void
}

/** Begins the telemetry of a replay; undefined without telemetry. */
export function beginReplayTelemetry(telemetry: Telemetry | undefined, { trace, file }: ReplayedTrace): ReplayTelemetry | undefined {
  const { agent, golden, id, agentVersion, tags = {} } = trace.header
  const startedAt = Date.now()
  const run = beginTelemetry(telemetry, agent, onUntold)
  if (run === undefined) return undefined
  run.isOf(file === undefined ? (golden?.name ?? id) : pathToFileURL(path.resolve(file)).href, startedAt)
  run.tell([{ kind: 'run', ...(agentVersion === undefined ? {} : { agentVersion }), tags }])
  return {
    inRun: (body) => run.inRun(body),
    end({ divergences, outcome }) {
      for (const divergence of divergences) run.diverges(divergence)
      const error = outcome.status === 'threw' ? { error: { type: toRecordedError(outcome.error).name } } : {}
      run.tell([{ kind: 'end', at: Date.now() - startedAt, ...error }])
      run.end({ isKept: true })
    },
  }
}

const onUntold = warnOnce('reporting a replay failed')
