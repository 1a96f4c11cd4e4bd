import type { Mutation } from '../mutations/mutation.ts'
import type { SeenCall } from '../world/world-log.ts'
import type { Difference } from './difference.ts'

/** The expected verdict on a changed agent in one run. */
export interface Verdict {
  readonly cause: string
  /** The number of a call of the unchanged run, from 1; 0 means before the first. */
  readonly step: number
  readonly position: 'at' | 'after'
  readonly parts: readonly string[]
}

/** Returns the declared verdict of a mutation for a run in which the world saw these calls. Undefined if the mutation is benign there. */
export function expectedVerdict({ expected }: Mutation, calls: readonly SeenCall[]): Verdict | undefined {
  if (expected.is !== 'harmful') return undefined
  const index = expected.place(calls)
  return index === undefined ? undefined : { cause: expected.cause, step: index + 1, position: expected.position, parts: expected.parts }
}

/** Returns how a declaration contradicts what the world saw. Undefined if they agree. */
export function contradiction(expected: Verdict | undefined, seen: Difference | undefined): string | undefined {
  if (expected === undefined) return seen && `declared benign, but the world can tell: ${describe(seen)}`
  if (seen === undefined) return 'declared harmful, but the world cannot tell'
  if (isSeen(expected, seen)) return undefined
  return `declared ${expected.cause} ${expected.position} call ${expected.step}, but the world says: ${describe(seen)}`
}

/** Returns whether the world saw what was declared, at the declared place. */
function isSeen({ cause, step, position }: Verdict, { lacking, extra, checkpoint, end }: Difference): boolean {
  const calls = Math.min(lacking ?? Infinity, extra ?? Infinity)
  if (cause === 'unexpected-call') return extra === step
  if (cause === 'checkpoint') return checkpoint === step && calls >= step
  // A limit shows at the aborted call, or else in what the agent does without the answer.
  if (cause === 'time-limit') return calls >= step - 1
  // A call that nobody waits for any longer is still made, but the run ends sooner.
  if (cause === 'order' && lacking === undefined) return end === true && calls === Infinity && checkpoint === undefined
  return position === 'at' ? lacking === step - 1 : end === true && calls === Infinity && checkpoint === undefined
}

function describe({ lacking, extra, checkpoint, end }: Difference): string {
  const parts = [
    lacking === undefined ? '' : `call ${lacking + 1} was not made so`,
    extra === undefined ? '' : `another was made after call ${extra}`,
    checkpoint === undefined ? '' : `a checkpoint differs after call ${checkpoint}`,
    end === undefined ? '' : 'the end differs',
  ]
  return parts.filter((part) => part !== '').join(', ')
}
