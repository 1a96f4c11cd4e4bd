import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Name } from './contestants.ts'
import type { Workload } from './workload.ts'

/** The times of a round, in milliseconds. */
export interface RoundTimes {
  /** CPU time of the main thread. */
  readonly main: number
  /** CPU time of all threads, until everything is written. */
  readonly all: number
  /** Wall-clock time of each run. */
  readonly runs: readonly number[]
}

/** A round for such a process to run. */
export interface Round {
  readonly workload: Workload
  /** The port of the provider. */
  readonly port: number
}

/**
 * While others have their turn, a process is idle, as a busy server never is. V8 would use that time for a collection that drops compiled
 * code, and the next measurement would be of a program that has just started. With this flag it collects when it has to, within the rounds.
 */
const ARGUMENTS = ['--no-memory-reducer']

/** One contestant in a process of its own. */
export class ContestantProcess implements AsyncDisposable {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /**
   * @param options.node The binary to run. Default: the running one.
   * @param options.core The only processor that it may use. Default: all of them.
   */
  static async start(
    name: Name,
    { node = process.execPath, core }: { node?: string | undefined; core?: number } = {},
  ): Promise<ContestantProcess> {
    const program = fileURLToPath(new URL('contestant-program.ts', import.meta.url))
    const pinned = core === undefined ? undefined : ['-c', String(core), node]
    const child = fork(program, [name], { execPath: pinned === undefined ? node : 'taskset', execArgv: [...(pinned ?? []), ...ARGUMENTS] })
    await next(child)
    return new ContestantProcess(child)
  }

  /** @param port The port of the provider. */
  async measure(workload: Workload, port: number): Promise<RoundTimes> {
    this.#child.send({ workload, port } satisfies Round)
    return (await next(this.#child)) as RoundTimes
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return
    this.#child.disconnect()
    await once(this.#child, 'exit')
  }
}

/** Returns the next message of a process. @throws Error if the process ends instead. */
async function next(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController()
  try {
    const exit = once(child, 'exit', { signal: ended.signal }).then(([status]) => {
      throw new Error(`A process of the bench ended with ${String(status)}.`)
    })
    const [message] = (await Promise.race([once(child, 'message', { signal: ended.signal }), exit])) as [unknown]
    return message
  } finally {
    ended.abort()
  }
}
