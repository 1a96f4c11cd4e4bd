import path from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { currentScope, enterProcess } from '../run/scope.ts'
import type { Settled } from '../trace/rows.ts'
import { openRecorder } from './recorder.ts'

/**
 * Records this process, from now to its end, as one run of an agent that is named after its main file, with its arguments as input. Runs of recorders
 * in the process are recorded separately. If a signal ends the process, its run has no end.
 */
export async function recordProcess(): Promise<void> {
  if (!isMainThread) return
  const [, main = 'node', ...args] = process.argv
  const { recorder, end } = openRecorder({ wholeProcess: true })
  await recorder.start()
  let outcome: Settled | undefined
  const never = new Promise<never>(() => undefined)
  void recorder.run({ agent: path.parse(main).name, input: { args } }, () => {
    const scope = currentScope()
    if (scope === undefined) return never
    enterProcess(scope)
    process.once('uncaughtExceptionMonitor', (error) => (outcome = { error }))
    // Runs before the listener that waits for the log to be written.
    process.prependOnceListener('exit', (code) => end(scope.run.id, outcome ?? { output: { exitCode: code } }))
    return never
  })
}
