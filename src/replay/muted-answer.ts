import { realTimers } from '../boundaries/timer/real-timers.ts'
import type { AnsweredExchange, AnswerSink } from '../run/active-run.ts'
import { runOutside } from '../run/scope.ts'

/**
 * Success, and nothing to read: telemetry goes nowhere in a replay.
 *
 * @param busy Tells the run that something is under way, until the release is called.
 */
export function answerMuted(sink: AnswerSink, busy: () => () => void): AnsweredExchange {
  const release = busy()
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
