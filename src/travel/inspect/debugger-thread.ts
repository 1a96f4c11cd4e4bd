import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ownFile } from '../../node/own-file.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { CallPlace } from './call-places.ts'
import type { PortAddress } from './port/debugger-port.ts'
import type { Stop } from './stop.ts'

/** The task of the debugger's thread. */
export type DebuggerTask = {
  readonly shared: Int32Array<SharedArrayBuffer>
  /** The expression that reaches the inspection hook in the main thread. */
  readonly hook: string
} & (
  | { /** Find the agent's place for each call. */ readonly mode: 'find' }
  | { /** Read the agent's variables at these places, before and after. */ readonly mode: 'read'; readonly places: readonly CallPlace[] }
  | {
      /** Stop at these places for clients of a port. */
      readonly mode: 'debug'
      readonly places: readonly CallPlace[]
      /** The name of the replay in clients. */
      readonly title: string
      /** Default: any free port. */
      readonly port?: number
    }
)

/** The findings of the debugger's thread. */
export interface DebuggerReport {
  /** By the number of the call; null for a call whose place is not known. */
  readonly places: readonly (CallPlace | null)[]
  readonly stops: readonly Stop[]
  /** The error that prevented it from reading a stop. */
  readonly failure?: string
}

/** The first message of the debugger's thread. */
export interface DebuggerReady {
  readonly address: PortAddress | undefined
  /** Why it cannot work; absent if it can. */
  readonly problem?: string
}

/** The debugger's thread, seen from the main thread. */
export interface DebuggerThread {
  /** Where clients attach, for `debug`. */
  readonly address: PortAddress | undefined
  /** For `debug`: resolves when a client is ready for the replay to start. */
  readonly attached: Promise<unknown>
  /** Ends the thread. */
  finish(): Promise<DebuggerReport>
}

/** Starts the debugger's thread, and waits until its breakpoints are set. Called before the process is guarded. */
export async function startDebugger(task: DebuggerTask): Promise<DebuggerThread> {
  const file = ownFile('cli/inspect/debugger-worker')
  if (file === undefined)
    throw new GoldenrunError('GOLDENRUN_INSPECT', 'A file is missing from the installed package: reinstall goldenrun.')
  const worker = new Worker(file, { workerData: task })
  const [{ address, problem }] = (await once(worker, 'message')) as [DebuggerReady]
  if (problem !== undefined) {
    await worker.terminate()
    throw new GoldenrunError('GOLDENRUN_INSPECT', problem)
  }
  return {
    address,
    attached: once(worker, 'message'),
    async finish() {
      const report = once(worker, 'message')
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is no window
      worker.postMessage('finish')
      const [found] = (await report) as [DebuggerReport]
      await worker.terminate()
      return found
    },
  }
}
