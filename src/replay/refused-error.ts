import type { Divergence } from '../divergence/divergence.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { LiveCall } from './live-call.ts'

const CODE = 'GOLDENRUN_REFUSED'

/** What the agent gets for a call that the trace has no answer for. The verdict has it too, whatever the agent does with this error. */
export class RefusedError extends GoldenrunError {
  readonly boundary: string
  readonly call: string
  readonly divergence: Divergence | undefined

  constructor({ boundary, name }: Pick<LiveCall, 'boundary' | 'name'>, divergence: Divergence | undefined) {
    super(
      CODE,
      `The replay refused this ${boundary} call of ${name}: the trace has no answer for it. ` +
        'The verdict of the replay says where the agent left the recorded run; expect(run).toReplayWithoutDivergence() prints it.',
    )
    this.name = 'RefusedError'
    this.boundary = boundary
    this.call = name
    this.divergence = divergence
  }

  static override isInstance(error: unknown): error is RefusedError {
    return GoldenrunError.isInstance(error) && error.code === CODE
  }
}
