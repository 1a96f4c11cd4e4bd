import path from 'node:path'
import type { Divergence } from '../../divergence/divergence.ts'
import { type CallSite, plainSite } from '../../run/call-site.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { ReplayCall } from '../calls/replay-call.ts'

const CODE = 'GOLDENRUN_REFUSED'

/** What the agent gets for a call that the trace has no answer for. The verdict has it too, whatever the agent does with this error. */
export class RefusedError extends GoldenrunError {
  readonly boundary: string
  readonly call: string
  /** Not enumerable: agents log what they catch, and the report says it better. */
  declare readonly divergence: Divergence | undefined

  constructor({ boundary, name }: Pick<ReplayCall, 'boundary' | 'name'>, divergence: Divergence | undefined) {
    super(
      CODE,
      `The replay refused this ${boundary} call of ${name}: the trace has no answer for it. ` +
        'The verdict of the replay says where the agent left the recorded run; expect(run).toReplayWithoutDivergence() prints it.',
    )
    this.name = 'RefusedError'
    this.boundary = boundary
    this.call = name
    const seen = divergence && asSeen(divergence)
    Object.defineProperty(this, 'divergence', { value: seen })
    this.stack = toStack(this, seen?.site)
  }

  static override isInstance(error: unknown): error is RefusedError {
    return GoldenrunError.isInstance(error) && error.code === CODE
  }
}

/**
 * A divergence as the agent may see it.
 *
 * @note Agents read what they catch (a framework tells the model of a tool's error): it is the same where lines are looked for by asynchronous stacks.
 */
function asSeen({ site, ...divergence }: Divergence): Divergence {
  const plain = plainSite(site)
  return { ...divergence, ...(plain && { site: plain }) }
}

/** @note It is made where the replay goes on, and not where the agent called: its own stack would lead into goldenrun. */
function toStack({ name, message }: Error, site: CallSite | undefined): string {
  const frame = site === undefined ? '' : `\n    at ${path.resolve(site.file)}:${site.line}:${site.column}`
  return `${name}: ${message}${frame}`
}
