import type { Mutation } from '../mutations/mutation.ts'
import type { SeenCall } from '../world/world-log.ts'
import type { Difference } from './difference.ts'

/** What has to be said of a changed agent in one run. */
export interface Verdict {
  readonly cause: string
  /** The number of a call of the unchanged run, from 1; 0 is before the first. */
  readonly step: number
  readonly position: 'at' | 'after'
  readonly parts: readonly string[]
}

/** What was declared of a mutation, for a run of which the world saw these calls. Undefined where it is benign there. */
export function expectedVerdict({ expected }: Mutation, calls: readonly SeenCall[]): Verdict | undefined {
  if (expected.is !== 'harmful') return undefined
  const index = expected.place(calls)
  return index === undefined ? undefined : { cause: expected.cause, step: index + 1, position: expected.position, parts: expected.parts }
}

/** What is wrong with a declaration, by what the world saw. Undefined where the two agree. */
export function contradiction(expected: Verdict | undefined, seen: Difference | undefined): string | undefined {
  if (expected === undefined) return seen && `declared benign, but the world can tell: ${describe(seen)}`
  if (seen === undefined) return 'declared harmful, but the world cannot tell'
  const lacking = seen.lacking === undefined ? Infinity : seen.lacking + 1
  const place = `${expected.position} call ${expected.step}`
  const isThere =
    expected.position === 'at'
      ? lacking === expected.step || (expected.cause === 'time-limit' && lacking > expected.step && (seen.extra || seen.end))
      : lacking > expected.step && (seen.extra || seen.checkpoints || seen.end)
  return isThere ? undefined : `declared ${expected.cause} ${place}, but the world says: ${describe(seen)}`
}

function describe({ lacking, extra, checkpoints, end }: Difference): string {
  const parts = [
    lacking === undefined ? '' : `call ${lacking + 1} was not made so`,
    extra ? 'a call was made that was not' : '',
    checkpoints ? 'checkpoints differ' : '',
    end ? 'the end differs' : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}
