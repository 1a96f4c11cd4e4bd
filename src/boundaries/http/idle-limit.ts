import type { ClientRequest } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RunTimer } from '../../run/active-run.ts'
import { builtins } from '../../node/builtins.ts'

/**
 * The idle limit of a connection to the trace: a socket's `setTimeout`, which Node's client calls for the limits of a request and its
 * answer. When the time has passed on the run's clock, the socket emits `timeout`.
 */
export class IdleLimit {
  readonly #start: (milliseconds: number) => RunTimer | undefined
  #timer: RunTimer | undefined
  #isOver = false

  /** @param start Starts the timer of the limit. */
  constructor(start: (milliseconds: number) => RunTimer | undefined) {
    this.#start = start
  }

  /** @param milliseconds 0 for no limit. */
  set(milliseconds: number): void {
    this.#timer?.cancel()
    this.#timer = milliseconds > 0 && !this.#isOver ? this.#start(milliseconds) : undefined
  }

  /** Something arrives or is sent. */
  touch(): void {
    if (this.#timer?.active === true) this.#timer.refresh()
  }

  /** Nothing more arrives. */
  end(): void {
    this.#isOver = true
    this.#timer?.cancel()
  }
}

/** The methods of a socket that sessions, HTTP clients and Node itself call on a connection. They have no effect. */
export function socketMethods(stream: Duplex): object {
  const self = (): Duplex => stream
  return { setTimeout: self, setNoDelay: self, setKeepAlive: self, ref: self, unref: self }
}

/** The `setTimeout` of a socket. Source: Node, lib/internal/stream_base_commons.js, `setStreamTimeout`. */
export function socketTimeout(
  socket: Duplex & { timeout?: number },
  limit: IdleLimit,
): (milliseconds: number, callback?: () => void) => Duplex {
  return (milliseconds, callback) => {
    socket.timeout = milliseconds
    limit.set(milliseconds)
    if (callback === undefined) return socket
    return milliseconds === 0 ? socket.removeListener('timeout', callback) : socket.once('timeout', callback)
  }
}

/** Returns a request's initial limit: its own or its agent's. The default of Node's own agents does not count, because no program chose it. */
export function initialLimit(request: ClientRequest & { agent?: { options?: { timeout?: number } } | null; timeout?: number }): number {
  const { agent, timeout } = request
  const isNodesOwn = agent === builtins.http.globalAgent || agent === builtins.https.globalAgent
  return timeout ?? (isNodesOwn ? 0 : (agent?.options?.timeout ?? 0))
}
