import { asOwnWork } from '../../boundaries/contact/make-contact.ts'
import { environmentOfStarted } from '../../config/stand-in-keys.ts'
import { builtins } from '../../node/builtins.ts'
import { realTimers } from '../../node/real-timers.ts'
import { runOutside } from '../../run/scope.ts'

/**
 * Runs one of goldenrun's own programs in a process without input and output, outside of every run.
 *
 * @param limit Ends the process after this many milliseconds of real time.
 */
export async function runProgram(program: string, argument: string, limit: number): Promise<void> {
  await runOutside(async () => {
    const options = { stdio: 'ignore', env: environmentOfStarted() } as const
    const child = asOwnWork(() => builtins.childProcess.spawn(process.execPath, [program, argument], options))
    const over = Promise.withResolvers<void>()
    child.once('error', () => over.resolve())
    child.once('close', () => over.resolve())
    const timer = realTimers.setTimeout(() => void child.kill('SIGKILL'), limit)
    await over.promise
    realTimers.clearTimeout(timer)
  })
}
