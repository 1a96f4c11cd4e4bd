import { type AnsweredScope, answeredScope } from '../../run/scope.ts'
import type { ChildProcess } from 'node:child_process'
import type { Writable } from 'node:stream'
import type { ProcessSink } from '../../run/processes.ts'
import { agentDoes } from '../agent-step.ts'
import { failToSpawn } from '../contact/fail-to-spawn.ts'
import { AgentMessages } from './agent-messages.ts'
import { ChildDouble } from './child-double.ts'
import type { DescribedProcess, SpawnOptions } from './describe-process.ts'
import { limitOfProcess } from './limited-exec.ts'
import { watchInput } from './watch-input.ts'
import { WrittenSteps } from './written-steps.ts'

/**
 * Starts a child process that behaves like the recorded one.
 *
 * @param spawn Node's own method.
 */
export function answerChild(
  child: ChildProcess,
  spawn: (options: SpawnOptions) => unknown,
  options: SpawnOptions,
  { name, input }: DescribedProcess,
  opener: AnsweredScope,
): unknown {
  const started = new AnsweredChild(name, opener)
  opener.run.answerProcess({ owner: opener.owner, name, input, limit: limitOfProcess(options.timeout) }, started)
  // Otherwise Node would apply the time limit by the machine's clock.
  Reflect.set(options, 'timeout', 0)
  const { failure } = started
  if (failure !== undefined) {
    const status = failToSpawn(child, spawn, options, { code: failure, later: (deliver) => deliver() })
    started.watch(child.stdin)
    return status
  }
  started.follow(new ChildDouble(child, spawn, options, started.isStarted))
  return 0
}

/** A child process of a run. */
class AnsweredChild implements ProcessSink {
  /** Why the process is not started, if the run knows that at once. */
  failure: string | undefined
  isStarted = false
  readonly #name: string
  readonly #opener: AnsweredScope
  readonly #written = new WrittenSteps()
  readonly #messages = new AgentMessages((message) => {
    const { what, input } = this.#written.toStep(message)
    this.#does(what, input)
  })
  #double: ChildDouble | undefined
  #stopsWaiting: (() => void) | undefined

  constructor(name: string, opener: AnsweredScope) {
    this.#name = name
    this.#opener = opener
  }

  /** Follows a process that is started. */
  follow(double: ChildDouble): void {
    this.#double = double
    this.watch(double.stdin)
    double.watch({ kill: (signal) => this.#does('kill', signal), send: (message) => this.#does('send', message) })
  }

  /** Compares what the agent writes, even to a process that could not be started. */
  watch(stdin: Writable | null): void {
    if (stdin === null) return
    let hasWritten = false
    watchInput(stdin, {
      write: (bytes) => {
        hasWritten = true
        this.#messages.add(bytes)
        this.#await()
      },
      end: () => {
        this.#messages.end()
        this.#cut()
        if (hasWritten) this.#does('stdin end', [])
      },
    })
  }

  start(): void {
    this.isStarted = true
    this.#double?.start()
  }

  output(stream: string | undefined, bytes: Uint8Array): void {
    this.#cut()
    if (stream === undefined) this.#written.hear(bytes)
    this.#double?.output(stream, bytes)
  }

  close(ended: Parameters<ProcessSink['close']>[0]): void {
    this.#cut()
    this.#double?.close(ended)
  }

  fail(error: unknown): void {
    if (this.#double === undefined) this.failure = (error as { readonly code?: string }).code ?? 'ENOENT'
    else this.#double.refuse(error instanceof Error ? error : new Error(String(error)))
  }

  /** A text may continue. It ends when it equals the recorded text, when the process answers, or when nothing else happens. */
  #await(): void {
    const { run } = this.#opener
    if (!this.#messages.isOpen || run.recorded.isNext(`${this.#name} stdin`, this.#messages.openText)) this.#cut()
    else this.#stopsWaiting ??= run.writes(() => this.#cut())
  }

  #cut(): void {
    this.#messages.cut()
    this.#stopsWaiting?.()
    this.#stopsWaiting = undefined
  }

  #does(what: string, input: unknown): void {
    agentDoes(answeredScope() ?? this.#opener, `${this.#name} ${what}`, input)
  }
}
