import { type SideEffect, sideEffectsOf } from '../../trace/side-effects.ts'
import type { Step, Trace } from '../../trace/trace.ts'
import type { ReplayingRun } from '../replaying-run.ts'

/** The side effects of a replay, in order: those of its own steps, and the recorded ones within tools that did not run. */
export function sideEffectsOfReplay({ header, steps: recorded }: Trace, run: ReplayingRun, steps: readonly Step[]): SideEffect[] {
  const ambient = header.ambient?.names
  const stubbed = new Set(run.calls.all.flatMap((call) => (call.runs || call.planned === undefined ? [] : [call.planned.call.step])))
  const owners = new Map(recorded.map(({ step, owner }) => [step, owner]))
  const isWithinStub = (step: number): boolean => {
    const owner = owners.get(step) ?? 0
    return owner !== 0 && owner < step && (stubbed.has(owner) || isWithinStub(owner))
  }
  const own = sideEffectsOf(steps, ambient)
  const known = new Set(own.map(({ step }) => step))
  const within = sideEffectsOf(recorded, ambient).filter(({ step }) => !known.has(step) && isWithinStub(step))
  return [...own, ...within].toSorted((a, b) => a.step - b.step)
}
