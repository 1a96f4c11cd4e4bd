import path from 'node:path'
import type { Divergence } from '../../divergence/divergence.ts'
import { type CallSite, plainSite } from '../../run/call-site.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { ReplayCall } from '../calls/replay-call.ts'

/** Thrown into the agent for a call that has no answer in the trace. The verdict reports it, whatever the agent does with this error. */
export class RefusedError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_REFUSED'

  readonly boundary: string
  readonly call: string
  /** Not enumerable: agents log what they catch, and the report is more readable. */
  declare readonly divergence: Divergence | undefined

  constructor({ boundary, name }: Pick<ReplayCall, 'boundary' | 'name'>, divergence: Divergence | undefined) {
    super(
      RefusedError.code,
      `The replay refused this ${boundary} call of ${name}: the trace has no answer for it. ` +
        'The verdict of the replay says where the agent diverged from the recorded run; expect(run).toReplayWithoutDivergence() prints it.',
    )
    this.name = 'RefusedError'
    this.boundary = boundary
    this.call = name
    const seen = divergence && asSeen(divergence)
    Object.defineProperty(this, 'divergence', { value: seen })
    this.stack = toStack(this, seen?.site)
  }
}

/**
 * A divergence as the agent may see it.
 *
 * @note Agents read the errors that they catch (a framework passes a tool's error to the model), so the error must not change with
 * asynchronous stacks.
 */
function asSeen({ site, ...divergence }: Divergence): Divergence {
  const plain = plainSite(site)
  return { ...divergence, ...(plain && { site: plain }) }
}

/** @note The error is created in the replay, not where the agent made the call, so its own stack would point into goldenrun. */
function toStack({ name, message }: Error, site: CallSite | undefined): string {
  const frame = site === undefined ? '' : `\n    at ${path.resolve(site.file)}:${site.line}:${site.column}`
  return `${name}: ${message}${frame}`
}
