import type { RunRow } from '../../trace/run-row.ts'
import type { Redactor } from './redactor.ts'

/** A header without secrets in what the program said of its run: tags, the agent's version, environment variables. Its input is kept apart. */
export function redactHeader(header: RunRow, redactor: Redactor): RunRow {
  const { tags, agentVersion, runtime } = header
  return {
    ...header,
    ...(tags === undefined ? {} : { tags: redactor.value(tags) }),
    ...(agentVersion === undefined ? {} : { agentVersion: redactor.text(agentVersion) }),
    runtime: redactor.value(runtime),
  }
}
