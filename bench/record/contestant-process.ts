import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Name } from './contestants.ts'
import type { Workload } from './workload.ts'

/** What a round took, in milliseconds. */
export interface RoundTimes {
  /** Of the processor: the main thread. */
  readonly main: number
  /** Of the processor: all threads, until everything is written. */
  readonly all: number
  /** Each run, by the clock on the wall. */
  readonly runs: readonly number[]
}

/** What such a process is asked for. */
export interface Round {
  readonly workload: Workload
  /** The provider's. */
  readonly port: number
}

/**
 * While the others have their turn, a process does nothing, as a busy server never does: V8 would take the time for a collection that lets go of compiled
 * code, and what the process does next would be measured as of a program that has just started. It collects when it has to, within the rounds.
 */
const ARGUMENTS = ['--no-memory-reducer']

/** One contestant in a process of its own. */
export class ContestantProcess implements AsyncDisposable {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /**
   * @param options.node The binary to run. Default: this one.
   * @param options.core The only processor that it may have. Default: all of them.
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

  /** @param port The provider's. */
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

/** What it tells next. @throws Error where it ends instead. */
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
