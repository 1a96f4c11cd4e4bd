import { AgentTurns } from '../../run/agent-turns.ts'
import type { FunctionCall, RecordedRun } from '../../run/active-run.ts'
import { runBelow, runInScope } from '../../run/scope.ts'

/**
 * Makes a real database call, and returns its first answer as a step would keep it: the driver's door records it. Rejects with the driver's error.
 */
export function captureAnswer(ask: () => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const run = new CapturingRun(resolve, reject)
    const result = runInScope({ run, owner: 0 }, ask)
    // The run rejects with the error of a step. This handles a failure before any step.
    Promise.resolve(result).catch(reject)
  })
}

/** Connects to a database or disconnects from it for real, without recording. */
export function forReal<Result>(body: () => Result): Result {
  return runBelow({ run: new CapturingRun(ignore, ignore), owner: 0 }, {}, body)
}

function ignore(): void {
  // No answer is awaited.
}

function readForReal<Value>(_owner: number, real: () => Value): Value {
  return real()
}

/** A recording that keeps only the first answer. */
class CapturingRun implements RecordedRun {
  readonly mode = 'record'
  readonly id = ''
  readonly traceId = ''
  readonly closed = false
  readonly turns: AgentTurns = new AgentTurns()
  readonly #resolve: (answer: unknown) => void
  readonly #reject: (error: unknown) => void

  constructor(resolve: (answer: unknown) => void, reject: (error: unknown) => void) {
    this.#resolve = resolve
    this.#reject = reject
  }

  readonly readClock = readForReal
  readonly readMonotonic = readForReal
  readonly readRandom = readForReal
  readonly readUuid = readForReal
  readonly readBytes = (owner: number, _size: number, real: () => Uint8Array): Uint8Array => readForReal(owner, real)
  readonly readFact = (owner: number, _name: string, real: () => unknown): unknown => readForReal(owner, real)

  callFunction({ name }: FunctionCall, invoke: () => unknown): unknown {
    const result = invoke()
    if (!name.endsWith(' connect')) Promise.resolve(result).then(this.#resolve, this.#reject)
    return result
  }

  mutes(): boolean {
    return true
  }

  countMuted(): void {}
  flag(): void {}
  note(): void {}
  checkpoint(): void {}
  readState(): void {}
  preamble(): void {}
  signal(): void {}

  captureExchange(): never {
    throw new TypeError('a database call makes no HTTP request')
  }

  captureProcess(): never {
    throw new TypeError('a database call starts no process')
  }

  captureConnection(): never {
    throw new TypeError('a database call opens no WebSocket')
  }

  startTimer(): never {
    throw new TypeError('a database call sets no timer')
  }
}
