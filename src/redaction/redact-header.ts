import type { Json } from '../trace/json.ts'
import type { AmbientAnswer, RunRow } from '../trace/run-row.ts'
import { fromRecorded } from '../trace/values.ts'
import type { Redactor } from './redactor-types.ts'

/**
 * Redacts the program's own data in a header: its agent, tags, the agent's version, environment variables, and ambient answers, whose values are in
 * recorded form. The input is redacted separately.
 */
export function redactHeader(header: RunRow, redactor: Redactor): RunRow {
  const { agent, tags, agentVersion, runtime, ambient } = header
  return {
    ...header,
    agent: redactor.text(agent),
    ...(tags === undefined ? {} : { tags: redactor.value(tags) }),
    ...(agentVersion === undefined ? {} : { agentVersion: redactor.text(agentVersion) }),
    runtime: redactor.value(runtime),
    ...(ambient === undefined ? {} : { ambient: { ...ambient, answers: ambient.answers.map((answer) => redactAnswer(answer, redactor)) } }),
  }
}

function redactAnswer({ boundary, name, input, output }: AmbientAnswer, redactor: Redactor): AmbientAnswer {
  const redact = (recorded: unknown): unknown => fromRecorded(redactor.value(recorded) as Json)
  return { boundary, name, input: redact(input), output: redact(output) }
}
