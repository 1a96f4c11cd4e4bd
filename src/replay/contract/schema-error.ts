import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

/** A place of a run that does not fit its schema. */
export interface SchemaProblem {
  /** `output.reply`, `state.order.status`. */
  readonly path: string
  /** The checkpoint's name, if the value is a state. */
  readonly checkpoint?: string
  /** The schema's message. */
  readonly problem: string
}

/** Thrown if a run's values do not fit the schema that the test passes. */
export class SchemaError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_SCHEMA'

  /** The trace's name, or its id. */
  readonly trace: string
  readonly problems: readonly SchemaProblem[]

  /** `what` names the run with the values: `the recorded run`. `advice` says what to do, as a full sentence. */
  constructor({ trace, what, problems, advice }: { trace: string; what: string; problems: readonly SchemaProblem[]; advice: string }) {
    const places = problems.map(({ path, checkpoint }) => (checkpoint === undefined ? path : `${path} of checkpoint "${checkpoint}"`))
    const width = Math.max(...places.map(({ length }) => length))
    const lines = problems.map(({ problem }, index) => `    ${(places[index] ?? '').padEnd(width)}  ${problem}`)
    super(SchemaError.code, `Failed to read "${trace}" with its schema: ${what} does not match it.\n${lines.join('\n')}\n${advice}`)
    this.name = 'SchemaError'
    this.trace = trace
    this.problems = problems
  }
}
