import { realTimers } from '../boundaries/timer/real-timers.ts'
import type { AnsweredExchange, AnsweredRun, AnswerSink } from '../run/active-run.ts'
import { runOutside } from '../run/scope.ts'

/** Success, and nothing to read: telemetry goes nowhere in a replay. */
export function answerMuted(run: AnsweredRun, sink: AnswerSink): AnsweredExchange {
  const release = run.busy()
  const handle = runOutside(() =>
    realTimers.setImmediate(() => {
      release()
      sink.head(200, [])
      sink.end()
    }),
  )
  return {
    stop: () => {
      release()
      clearImmediate(handle)
    },
  }
}
