import { GoldenrunError } from '../../../trace/errors/goldenrun-error.ts'

/** Why a trace cannot be promoted. */
export type PromoteErrorCode =
  /** It is the recording of a whole process, not of an agent. */
  | 'GOLDENRUN_PROMOTE_WHOLE_PROCESS'
  /** It has no `end`. */
  | 'GOLDENRUN_PROMOTE_UNFINISHED'
  /** The run reached something that was not recorded. */
  | 'GOLDENRUN_PROMOTE_UNRECORDED_CONTACT'
  /** A value in it, or in what promotion adds, could not be written. */
  | 'GOLDENRUN_PROMOTE_UNKEPT_VALUE'
  /** It does not have the step that must not be repeated. */
  | 'GOLDENRUN_PROMOTE_INCIDENT'
  /** The agent's code passes no constant at the place where one should be kept. */
  | 'GOLDENRUN_PROMOTE_CONSTANT'
  /** It cannot be part of the conversation. */
  | 'GOLDENRUN_PROMOTE_CONVERSATION'
  /** The agent does not repeat it. */
  | 'GOLDENRUN_PROMOTE_DOES_NOT_REPLAY'

/** Thrown if a trace cannot be promoted. Nothing was written. */
export class PromoteError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_PROMOTE_'

  declare readonly code: PromoteErrorCode
  /** The id of the trace. */
  readonly trace: string

  /** `problem` and `advice` are full sentences. */
  constructor(code: PromoteErrorCode, { trace, problem, advice }: { trace: string; problem: string; advice: string }) {
    super(code, `Cannot promote ${trace}: ${problem}${problem.endsWith('\n') ? '' : ' '}${advice}`)
    this.name = 'PromoteError'
    this.trace = trace
  }
}
