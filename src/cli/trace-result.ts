import type { JudgedTrace } from '../goldens/fresh/judged-trace.ts'

/** The result of replaying a trace. */
export interface TraceResult extends JudgedTrace {
  /** A golden's name, or a recording's id. */
  readonly name: string
  /** The file's name in messages; absent if the trace was not found. */
  readonly file?: string
}
