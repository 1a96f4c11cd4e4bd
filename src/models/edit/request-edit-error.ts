import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { RequestEdit } from '../dialect.ts'

/** Thrown for an edit of a model request that its dialect cannot make. */
export class RequestEditError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_REQUEST_EDIT'

  /** The dialect of the request, as in the names of steps. */
  readonly dialect: string
  /** The part to replace. */
  readonly part: keyof RequestEdit
  /** The reason why it cannot be replaced, as worded in the message. */
  readonly problem: string

  /** @param problem The reason, as the end of a sentence. */
  constructor(dialect: string, part: keyof RequestEdit, problem: string) {
    super(
      RequestEditError.code,
      `Cannot edit the ${WORDS[part]} of a request to ${dialect}: ${problem}. Give a function that edits the request instead.`,
    )
    this.name = 'RequestEditError'
    this.dialect = dialect
    this.part = part
    this.problem = problem
  }
}

const WORDS: Readonly<Record<keyof RequestEdit, string>> = {
  system: 'system prompt',
  model: 'model',
  messages: 'messages',
  sampling: 'sampling',
}
