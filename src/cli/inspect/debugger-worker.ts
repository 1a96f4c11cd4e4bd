/** The debugger's thread: stops the main thread and reads it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { AgentStopper } from '../../travel/inspect/agent-stopper.ts'
import { DebuggerSession, type Paused } from '../../travel/inspect/debugger-session.ts'
import type { DebuggerReady, DebuggerReport, DebuggerTask } from '../../travel/inspect/debugger-thread.ts'
import { PlaceFinder } from '../../travel/inspect/place-finder.ts'
import { SourcePositions } from '../../travel/inspect/source-positions.ts'
import { VariableReader } from '../../travel/inspect/variable-reader.ts'

if (parentPort !== null) await serve(parentPort, workerData as DebuggerTask)

async function serve(port: MessagePort, task: DebuggerTask): Promise<void> {
  const session = new DebuggerSession()
  const positions = new SourcePositions()
  // Pending answers of the inspector do not keep a thread alive.
  const alive = setInterval(() => undefined, 2 ** 30)
  const worker = workerFor(task, session, positions, () => port.postMessage('attached'))
  let failure: string | undefined
  let handling = Promise.resolve()
  const handle = async (paused: Paused): Promise<void> => {
    try {
      await worker.stopped(paused)
    } catch (error) {
      failure ??= error instanceof Error ? (error.stack ?? error.message) : String(error)
    }
    if (task.mode !== 'debug') await session.post('Debugger.resume')
  }
  session.on('Debugger.scriptParsed', (script) => positions.add(script))
  session.on('Debugger.paused', (paused) => {
    handling = handle(paused)
  })
  await session.post('Debugger.enable')
  await session.post('Debugger.setAsyncCallStackDepth', { maxDepth: 64 })
  const problem = await begin(worker, task)
  if (problem !== undefined) {
    clearInterval(alive)
    session.close()
    return port.postMessage({ address: undefined, problem } satisfies DebuggerReady)
  }
  const finish = async (): Promise<void> => {
    await handling
    clearInterval(alive)
    session.close()
    const report: DebuggerReport = { ...worker.report(), ...(failure !== undefined && { failure }) }
    port.postMessage(report)
  }
  port.once('message', () => void finish())
  const ready: DebuggerReady = { address: 'address' in worker ? worker.address : undefined }
  port.postMessage(ready)
}

/** @returns Why it cannot begin, such as that the requested port is taken. */
async function begin(worker: ReturnType<typeof workerFor>, task: DebuggerTask): Promise<string | undefined> {
  try {
    await worker.begin()
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (task.mode !== 'debug' || code === undefined) throw error
    const why = code === 'EADDRINUSE' ? 'it is in use' : code
    return `The debugger cannot listen on port ${task.port ?? 0} of 127.0.0.1: ${why}. To use another one: --port <port>`
  }
}

function workerFor(
  task: DebuggerTask,
  session: DebuggerSession,
  positions: SourcePositions,
  onAttached: () => void,
): PlaceFinder | VariableReader | AgentStopper {
  if (task.mode === 'find') return new PlaceFinder(session, positions, task)
  return task.mode === 'read' ? new VariableReader(session, positions, task) : new AgentStopper(session, positions, task, onAttached)
}
