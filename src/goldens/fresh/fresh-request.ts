import type { ModelDrift } from '../../replay/contract/replay-options.ts'

/** The request to a process that replays one trace in a fresh module graph. */
export interface FreshRequest {
  readonly trace: FreshTrace
  /** The earlier runs of its conversation, in order. Default: the goldens that it follows. */
  readonly earlier?: readonly Pick<FreshTrace, 'file' | 'text'>[]
  /** `verdict`: its verdict counts. `lines`: only the agent's lines are taken from it, so it tells no telemetry. */
  readonly purpose: 'verdict' | 'lines'
  /** Default: as the config says. */
  readonly onDivergence?: 'stop' | 'continue'
  /** In addition to the drift that the config allows. Default: none. */
  readonly allowModelDrift?: readonly ModelDrift[]
  /** The folder for a page if the trace does not hold. Default: no page. */
  readonly html?: string | undefined
}

/** A trace for another process. */
export interface FreshTrace {
  /** A golden's name, or a recording's id. */
  readonly name: string
  /** The name of its file in messages. */
  readonly file: string
  readonly text: string
  /** The absolute path of its file: the other goldens of its conversation are next to it. */
  readonly origin: string
  /** The folder where the config of a golden is looked for. */
  readonly directory: string
}

/** A request, and where the process writes its answer, a `JudgedTrace`. Both files are written by `v8.serialize`, which keeps every value. */
export interface WrittenRequest extends FreshRequest {
  readonly output: string
}
