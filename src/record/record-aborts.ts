import { contextSignals } from '../run/context-signals.ts'
import type { RecordingRun } from './recording-run.ts'

/** Records an abort before the agent's own listeners see it, including an abort from before the run. */
export function recordAborts(run: RecordingRun, context: unknown): void {
  for (const { name, signal } of contextSignals(context)) {
    if (signal.aborted) run.signal(name, signal.reason, { sameTick: true })
    else signal.addEventListener('abort', () => run.signal(name, signal.reason), { once: true })
  }
}
