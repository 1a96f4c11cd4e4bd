import type { Trace } from '../../trace/trace.ts'
import { drawsOf } from '../judge/draws/draws-of.ts'
import type { MadeDraw } from '../judge/draws/correspondence.ts'
import type { RunDraws } from '../judge/draws/run-draws.ts'
import { createPlan, type Plan } from '../calls/plan.ts'
import { drawnInRecording } from '../calls/recorded-draws.ts'

/** The draws of two runs that drew independently. */
export function drawsOfBoth(a: Trace, b: Trace): RunDraws {
  const [planOfA, planOfB] = [createPlan(a), createPlan(b)]
  return drawsOf(a, planOfA, drawnBy(b, planOfB), drawnBy(a, planOfA))
}

/** The ticks of two runs are unrelated, so a stretch is identified by the calls and completions before it. */
function drawnBy(trace: Trace, { reads }: Plan): MadeDraw[] {
  const stretches = new Map<string, number>()
  return drawnInRecording(reads, Date.parse(trace.header.startedAt)).map((draw) => {
    const name = `${draw.tick} ${draw.calls}`
    const stretch = stretches.get(name) ?? stretches.size
    stretches.set(name, stretch)
    return { ...draw, tick: 0, calls: stretch }
  })
}
