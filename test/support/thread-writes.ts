import { Session } from 'node:inspector/promises'
import { rm, writeFile } from 'node:fs/promises'

/** The writes of the thread that writes recordings, held up. */
export interface HeldWrites {
  /** Lets them, and all that follow, return. */
  release(): Promise<void>
}

/**
 * Has every write to a file that the thread of this process makes from now on wait in `writeSync`, as it does where a disk does not answer. The thread
 * is reached through the inspector, since it takes nothing from anybody else.
 *
 * @param gate A file that is made: the writes go on when it is gone.
 */
export async function holdThreadWrites(gate: string): Promise<HeldWrites> {
  await writeFile(gate, '')
  await evaluateInThread(holdUp(gate))
  return { release: () => rm(gate, { force: true }) }
}

async function evaluateInThread(expression: string): Promise<void> {
  const session = new Session()
  session.connect()
  const evaluated = Promise.withResolvers<void>()
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
    if (!workerInfo.url.includes('log-worker')) return
    const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } })
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message }).catch(evaluated.reject)
  })
  session.on('NodeWorker.receivedMessageFromWorker', ({ params: { message } }) => {
    const { id, result, error } = JSON.parse(message) as { id?: number; result?: { exceptionDetails?: unknown }; error?: unknown }
    if (id !== 1) return
    const failure = error ?? result?.exceptionDetails
    if (failure === undefined) evaluated.resolve()
    else evaluated.reject(new Error(JSON.stringify(failure)))
  })
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  await evaluated.promise
  await session.post('NodeWorker.disable')
  session.disconnect()
}

/** Runs in the thread. */
function holdUp(gate: string): string {
  return `{
    const fs = process.getBuiltinModule('node:fs')
    const { writeSync } = fs
    fs.writeSync = (...args) => {
      const nothing = new Int32Array(new SharedArrayBuffer(4))
      while (fs.existsSync(${JSON.stringify(gate)})) Atomics.wait(nothing, 0, 0, 5)
      return writeSync(...args)
    }
    process.getBuiltinModule('node:module').syncBuiltinESMExports()
  }`
}
