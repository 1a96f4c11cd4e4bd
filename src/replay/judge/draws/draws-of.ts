import type { Trace } from '../../../trace/trace.ts'
import { toRecorded } from '../../../trace/values.ts'
import type { Plan } from '../../calls/plan.ts'
import { drawnInRecording } from '../../calls/recorded-draws.ts'
import type { MadeDraw } from './correspondence.ts'
import { RunDraws } from './run-draws.ts'

/**
 * The draws of a trace and of the compared run.
 *
 * @param replayed May grow.
 * @param recorded Default: the draws that the plan answers.
 */
export function drawsOf(trace: Trace, plan: Plan, replayed: readonly MadeDraw[], recorded?: readonly MadeDraw[]): RunDraws {
  const firstPlaces = new Map<string, number>()
  let answers: readonly Answer[] | undefined
  const startedAt = Date.parse(trace.header.startedAt)
  return new RunDraws({
    startedAt,
    endedAt: startedAt + (plan.end?.at ?? 0),
    recorded: () => recorded ?? drawnInRecording(plan.reads, startedAt),
    replayed,
    isGiven(text, place) {
      answers ??= answersOf(trace, plan)
      const first = firstPlaces.get(text) ?? answers.find((answer) => answer.text.includes(text))?.place ?? Infinity
      firstPlaces.set(text, first)
      return first < place
    },
  })
}

/** A value that reached a run from outside, with its place in the trace. */
interface Answer {
  readonly place: number
  readonly text: string
}

/** The answers, earliest first: what the run was given, and the answers to its steps. */
function answersOf({ header, steps }: Trace, plan: Plan): Answer[] {
  const answers = steps.map(({ step, output, error }): Answer => ({
    place: plan.steps.get(step)?.settledPlace ?? Infinity,
    text: print(output ?? error?.message),
  }))
  return [{ place: -1, text: print([header.input, header.resumedFrom?.state]) }, ...answers.toSorted((a, b) => a.place - b.place)]
}

function print(value: unknown): string {
  return JSON.stringify(toRecorded(value)) ?? ''
}
