import type { Cause } from '../divergence/divergence.ts'
import type { ApprovalOptions, ExpectedCall, ExpectedOutcome, Limits, RerunTimes, SequenceOptions, Times } from './matcher-types.ts'

/** The matchers for a replayed run, or a promise of one. Only the first two can pass for a run that was stopped. */
export interface RunMatchers<Result> {
  /**
   * The trace holds: the replay did the same, or, for an incident golden, no longer repeats the incident and passes the golden's checks.
   *
   * @example
   * expect(await replay('cancel-unshipped', supportAgent)).toReplayWithoutDivergence()
   */
  toReplayWithoutDivergence(): Result
  /** The replay first differs at this recorded step (for an extra call, the last step before it), for this cause if given. */
  toDivergeAt(step: number, cause?: Cause): Result
  /**
   * The agent called these tools: those that ran as wrapped tools, and those that the model asked for.
   *
   * @example
   * expect(run).toHaveCalledTools(['get_order', { name: 'cancel_order', args: { id: expect.any(String) } }])
   */
  toHaveCalledTools(sequence: readonly ExpectedCall[], options?: SequenceOptions): Result
  /** The agent called this tool, with at least these arguments, if given. */
  toHaveCalledTool(name: string, args?: unknown): Result
  /** The agent called this tool this many times. */
  toHaveCalledToolTimes(name: string, times: Times): Result
  /** The agent reached a checkpoint of this name, with at least this state, if given. */
  toHaveReachedCheckpoint(name: string, state?: unknown): Result
  /** The agent reached the checkpoints that the trace has, in the same order, with the same states, and no others. */
  toMatchCheckpoints(): Result
  /** These are the run's side effects, the steps with `effect: 'write'`, in this order, and there are no others. */
  toHaveSideEffects(sideEffects: readonly ExpectedCall[]): Result
  /** No side effect was made twice: the same name with the same idempotency key, or without one with the same arguments. */
  toHaveNoRepeatedSideEffects(): Result
  /**
   * A person approved each call of this tool before it was made, with exactly these arguments, and each approved call was made, once. Also
   * holds if every call was refused and none was made. Fails if the tool was neither approved, refused nor called.
   *
   * @example
   * expect(run).toHaveExecutedAsApproved('refund_order', { approval: 'ask_human' })
   */
  toHaveExecutedAsApproved(name: string, options?: ApprovalOptions): Result
  /**
   * The agent sent a request like this: a method, a host and a path, in which `*` stands for a part of the host or of one segment, and `/**` for any
   * segments. A body that is a text has to be in the request's address or body; any other is compared with the JSON that was sent, as `toMatchObject`
   * compares.
   *
   * @example
   * expect(run).not.toHaveSentRequest('POST mail.example/v1/send', { to: 'everyone@shop.example' })
   */
  toHaveSentRequest(request: string, body?: unknown): Result
  /**
   * The run ended like this: what it returned, compared as `toMatchObject` compares, or the name, message or code of what it threw.
   *
   * @example
   * expect(run).toHaveOutcome({ status: 'returned', output: { reply: expect.stringContaining('refunded') } })
   */
  toHaveOutcome(expected: ExpectedOutcome): Result
  /**
   * What the run returned, or the error that it threw, contains this text, in any of its fields.
   *
   * @example
   * expect(run).toHaveOutcomeContaining('refunded')
   */
  toHaveOutcomeContaining(text: string): Result
  /** The run took no more than this. */
  toStayWithin(limits: Limits): Result
  /**
   * The agent does the same each time it is replayed with the same answers. `times` includes this run. Await the assertion.
   *
   * @example
   * await expect(run).toRerunIdentically({ times: 20 })
   */
  toRerunIdentically(options: RerunTimes): Promise<void>
}
