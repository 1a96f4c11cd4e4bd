import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { getSystemErrorName } from 'node:util'
import { isRpcMessage, opensSession } from '../../models/mcp.ts'
import type { CapturedProcess } from '../../run/processes.ts'
import { callSite, captureTrail } from '../../run/call-site.ts'
import { answeredScope, type RecordedScope, recordedScope, runInScope, type Scope } from '../../run/scope.ts'
import { toRecorded } from '../../trace/values.ts'
import { agentDoes, attemptFor } from '../agent-step.ts'
import { emitIn } from '../http/client-request-events.ts'
import { markTransport } from '../contact/known-sockets.ts'
import { Lines, parseMessage } from '../mcp/mcp-session.ts'
import { RecordedSession } from '../mcp/recorded-session.ts'
import { type AgentMessage, AgentMessages } from './agent-messages.ts'
import type { NodeChild } from './child-double.ts'
import type { DescribedProcess } from './describe-process.ts'
import { type KillableProcess, makeKillable } from './kill-door.ts'
import { programName } from './program-name.ts'
import { WrittenSteps } from './written-steps.ts'
import { watchInput } from './watch-input.ts'

/**
 * Follows a real child process. The process is a step of the run that started it, and so is everything that the agent writes to it. A
 * session with an MCP server is a conversation instead: each request is a step of the run that makes it, whichever run opened the session.
 */
export class FollowedChild implements KillableProcess {
  readonly #child: ChildProcess
  readonly #describe: () => DescribedProcess
  readonly #opener: RecordedScope | undefined
  readonly #sink: CapturedProcess | undefined
  readonly #messages = new AgentMessages((message) => this.#agentSends(message))
  readonly #lines = new Lines()
  readonly #written = new WrittenSteps()
  #session: RecordedSession | undefined
  #hasWritten = false
  /** Whether the agent has ended the process or its input; `#leaver` is the run that did. */
  #isLeft = false
  #leaver: RecordedScope['run'] | undefined
  /** Set if Node itself ended the process, for example at a time limit. */
  #killed: { readonly killed?: true } = {}
  #hasExited = false

  /** @param opened The run that started the process, and the sink of that step. */
  constructor(
    child: ChildProcess,
    describe: () => DescribedProcess,
    opened?: { readonly scope: RecordedScope; readonly sink: CapturedProcess },
  ) {
    this.#describe = describe
    this.#opener = opened?.scope
    this.#sink = opened?.sink
    this.#child = child
  }

  /** Starts to follow the process. Call it before anything else happens to the process. */
  follow(): void {
    const child = this.#child
    const streams: ChildStreams = child
    const { stdin, stdout } = streams
    const stdio = streams.stdio ?? []
    if (this.#opener !== undefined) for (const stream of stdio) if (typeof stream === 'object' && stream !== null) markTransport(stream)
    if (stdin !== null && stdin !== undefined)
      watchInput(stdin, {
        write: (bytes) => this.#attempt(() => this.#writes(stdin, bytes)) === true,
        end: () => this.#attempt(() => this.#ends()),
      })
    if (stdout !== null && stdout !== undefined) followOutput(stdout, (bytes, pass) => this.#puts(undefined, bytes, pass))
    for (const [number, stream] of stdio.entries()) {
      if (number < 2 || typeof stream !== 'object' || stream === null || !('push' in stream)) continue
      followOutput(stream as Readable, (bytes, pass) => this.#puts(number === 2 ? 'stderr' : `fd${number}`, bytes, pass))
    }
    this.#followEnd(child as NodeChild)
    if (this.#opener !== undefined) this.#followMessages(child)
    if (this.#opener !== undefined && child.pid !== undefined) {
      child.prependOnceListener('exit', makeKillable(child.pid, this))
    }
  }

  /** A process that was started outside of every run matters only if it is a session. */
  #writes(stdin: object, bytes: Uint8Array): boolean {
    if (this.#opener === undefined && this.#session === undefined && (this.#hasWritten || bytes[0] !== brace)) {
      this.#hasWritten = true
      return false
    }
    this.#messages.add(bytes)
    this.#hasWritten = true
    if (this.#session !== undefined) markTransport(stdin)
    return this.#session !== undefined && answeredScope() !== undefined
  }

  #ends(): void {
    this.#leaves()
    this.#messages.end()
    if (this.#hasWritten && this.#session === undefined) this.#does('stdin end', [])
  }

  #leaves(): void {
    if (!this.#isLeft) this.#leaver = recordedScope()?.run
    this.#isLeft = true
  }

  #agentSends(message: AgentMessage): void {
    const rpc = 'json' in message && isRpcMessage(message.json) ? message.json : undefined
    if (this.#session === undefined && rpc !== undefined && opensSession(rpc)) this.#opens()
    if (this.#session !== undefined && rpc !== undefined) this.#session.sends(rpc)
    else if (this.#session === undefined) {
      const { what, input } = this.#written.toStep(message)
      this.#does(what, input)
    }
  }

  /** The process turns out to be a session, which belongs to the process; the opener's step only records that. */
  #opens(): void {
    const { name, input, program } = this.#describe()
    this.#sink?.opensSession()
    this.#session = new RecordedSession({ name, input }, program, this.#opener, {
      says: (message) => void this.#child.stdout?.push(Buffer.from(`${JSON.stringify(message)}\n`)),
    })
  }

  /** Records an action of the agent on the process that has no answer. */
  #does(what: string, input: unknown): void {
    const scope = recordedScope() ?? this.#opener
    if (scope !== undefined) agentDoes(scope, `${this.#describe().name} ${what}`, input)
  }

  /** Passes a piece of output to the agent after it has been recorded. */
  #puts(stream: string | undefined, bytes: Uint8Array | undefined, pass: () => boolean): boolean {
    const scope = this.#attempt(() => this.#hears(stream, bytes))
    return scope === undefined ? pass() : runInScope(scope, pass)
  }

  /** Returns the scope in which the agent receives the output, if it differs from the one that started the process. */
  #hears(stream: string | undefined, bytes: Uint8Array | undefined): Scope | undefined {
    if (this.#session === undefined) return this.#record(stream, bytes)
    if (stream !== undefined || bytes === undefined) return undefined
    let scope: Scope | undefined
    for (const line of this.#lines.add(bytes)) {
      const message = parseMessage(line)
      if (message !== undefined) scope = this.#session.hears(message) ?? scope
    }
    return scope
  }

  #record(stream: string | undefined, bytes: Uint8Array | undefined): undefined {
    if (this.#opener !== undefined) this.#messages.cut()
    if (bytes === undefined) this.#sink?.output('end', Buffer.from(stream ?? 'stdout'))
    else {
      if (stream === undefined) this.#written.hear(bytes)
      this.#sink?.output(stream, bytes)
    }
  }

  /** @note A child whose outputs are still open has exited but not closed. Source: Node, lib/internal/child_process.js, maybeClose. */
  #followEnd(child: NodeChild): void {
    const { _handle: handle } = child
    if (handle === null) return
    const { onexit } = handle
    const exit = (status: number, signal: string): void => {
      this.#attempt(() => this.#session === undefined && !this.#hasExited && this.#exits(child, status, signal))
      this.#hasExited = true
      onexit.call(handle, status, signal)
    }
    Object.assign(handle, { onexit: exit })
    child.prependOnceListener('close', (code: number | null, signal: string | null) => {
      if (this.#session === undefined) this.#sink?.close({ code, signal, ...this.#killed })
      else this.#attempt(() => this.#session?.ends({ code, signal }, this.#isLeft, this.#leaver))
    })
    const { kill } = child
    child.kill = (signal) => {
      this.onKill(signal ?? 'SIGTERM')
      return kill.call(child, signal)
    }
  }

  /** The agent kills it. */
  onKill(signal: NodeJS.Signals | number): void {
    this.#attempt(() => this.#kills(signal))
  }

  #kills(signal: NodeJS.Signals | number): void {
    this.#leaves()
    if (this.#session !== undefined || this.#hasExited) return
    // A kill by Node itself, as at a time limit, happens in a replay too.
    if (callSite(captureTrail().stack) === undefined) this.#killed = { killed: true }
    else this.#does('kill', signal)
  }

  #exits(child: NodeChild, status: number, signal: string): void {
    this.#messages.cut()
    if (status < 0) return this.#sink?.fail(spawnError(child, status))
    const { _closesGot: got, _closesNeeded: needed } = child
    // It closes immediately, so `close` records its end.
    if (got === needed - 1) return
    const isKilled = signal !== '' && signal !== null
    this.#sink?.output(
      'exit',
      Buffer.from(JSON.stringify({ ...(isKilled ? { code: null, signal } : { code: status, signal: null }), ...this.#killed })),
    )
  }

  #followMessages(child: ChildProcess): void {
    if (typeof child.send !== 'function') return
    const { send } = child
    child.send = (message: unknown, ...rest: unknown[]): boolean => {
      this.#attempt(() => this.#does('send', message))
      return Reflect.apply(send, child, [message, ...rest]) as boolean
    }
    emitIn(child, undefined, (event, [message]) => this.#attempt(() => this.#hearsEvent(event, message)))
  }

  #attempt<Result>(record: () => Result): Result | undefined {
    return attemptFor(this.#opener, () => `process ${programName(this.#child.spawnfile)}`, record)
  }

  #hearsEvent(event: string | symbol, message: unknown): void {
    if (event === 'message') this.#sink?.output('message', Buffer.from(`${JSON.stringify(toRecorded(message, ignoreUnkept))}\n`))
    if (event === 'disconnect') this.#sink?.output('disconnect', Buffer.from('disconnect'))
  }
}

/** A child's streams. They are missing if the system cannot start one more process. */
interface ChildStreams {
  readonly stdin?: Writable | null
  readonly stdout?: Readable | null
  readonly stdio?: readonly unknown[]
}

/** Passes on a child's output after calling `hear` with it; undefined means the end. */
function followOutput(stream: Readable, hear: (bytes: Uint8Array | undefined, pass: () => boolean) => boolean): void {
  const { push } = stream
  stream.push = function (this: Readable, chunk: unknown, encoding?: BufferEncoding) {
    const pass = (): boolean => Reflect.apply<Readable, unknown[], boolean>(push as never, stream, [chunk, encoding])
    if (ArrayBuffer.isView(chunk)) return hear(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), pass)
    return chunk === null ? hear(undefined, pass) : pass()
  }
}

/** The error of a program that could not be started. */
function spawnError({ spawnfile }: ChildProcess, status: number): Error {
  const code = getSystemErrorName(status)
  return Object.assign(new Error(`spawn ${programName(spawnfile)} ${code}`), { code })
}

const brace = '{'.charCodeAt(0)

function ignoreUnkept(): void {
  // Parts of a message that cannot be kept are replaced by a marker.
}
