import { realTimers } from '../../node/real-timers.ts'
import type { AnsweredExchange, AnsweredRun, AnswerSink } from '../../run/active-run.ts'
import { runOutside } from '../../run/scope.ts'

/** A run that answers some calls itself. */
interface AnsweringRun extends Pick<AnsweredRun, 'busy'> {
  readonly conductor: { goRound(): void }
}

/** Success, and nothing to read: telemetry goes nowhere in a replay. */
export function answerMuted(run: AnsweringRun, sink: AnswerSink): AnsweredExchange {
  return answerInNextTurn(run, () => {
    sink.head(200, [])
    sink.end()
  })
}

/** Answers by itself, in the next turn of the event loop. */
export function answerInNextTurn(run: AnsweringRun, answer: () => void): AnsweredExchange {
  const release = run.busy()
  run.conductor.goRound()
  const handle = runOutside(() =>
    realTimers.setImmediate(() => {
      release()
      answer()
    }),
  )
  return {
    stop: () => {
      release()
      clearImmediate(handle)
    },
  }
}
