import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { WebSocket } from 'ws'
import { buildPackage } from '../../support/build-package.ts'
import type { InspectedProject } from './inspected-project.ts'

/** `goldenrun debug`, as a user has it in a terminal. */
export interface DebugTerminal extends AsyncDisposable {
  /** What it has printed. */
  readonly output: string
  /** Types a line. */
  type(line: string): void
  /** Waits until it has printed what matches, since the last time. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Ends its input, and waits until it has ended. @returns Its exit status. */
  end(): Promise<number>
}

/** Starts `goldenrun debug` in a project. */
export async function startDebugging(project: InspectedProject, args: readonly string[]): Promise<DebugTerminal> {
  return startNode(project, [path.join(await buildPackage(), 'dist/cli.js'), 'debug', ...args])
}

/** Starts Node in a project. */
export function startNode(project: InspectedProject, args: readonly string[]): DebugTerminal {
  return new RunningTerminal(spawn(process.execPath, args, { cwd: project.path }))
}

class RunningTerminal implements DebugTerminal {
  output = ''
  #seen = 0
  #woken = Promise.withResolvers<undefined>()
  readonly #child: ChildProcessWithoutNullStreams
  readonly #closed: Promise<unknown>

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child
    this.#closed = once(child, 'close')
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => this.#take(bytes.toString()))
    child.once('close', () => this.#take(''))
  }

  type(line: string): void {
    this.#child.stdin.write(`${line}\n`)
  }

  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.output.slice(this.#seen))
      if (found !== null) {
        this.#seen += found.index + found[0].length
        return found
      }
      if (this.#child.exitCode !== null) throw new Error(`It ended without printing ${pattern}: ${this.output}`)
      await this.#woken.promise
    }
  }

  #take(text: string): void {
    this.output += text
    this.#woken.resolve(undefined)
    this.#woken = Promise.withResolvers()
  }

  async end(): Promise<number> {
    this.#child.stdin.end()
    await this.#closed
    return this.#child.exitCode ?? -1
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill()
    await this.#closed
  }
}

/** A client of the Chrome DevTools Protocol, over a plain WebSocket. */
export class ProtocolClient {
  readonly socket: WebSocket
  readonly #events: { readonly method: string; readonly params: object }[] = []
  readonly #answers = new Map<number, PromiseWithResolvers<object>>()
  #woken = Promise.withResolvers<undefined>()
  #sent = 0

  /** Attaches to a port as an editor does: by its list of targets. */
  static async attach(port: number): Promise<ProtocolClient> {
    const response = await fetch(`http://127.0.0.1:${port}/json/list`)
    const [target] = (await response.json()) as { readonly webSocketDebuggerUrl: string }[]
    const client = new ProtocolClient(new WebSocket(target?.webSocketDebuggerUrl ?? ''))
    await once(client.socket, 'open')
    return client
  }

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data: Buffer) => this.#receive(JSON.parse(data.toString()) as Received))
  }

  async send<Result>(method: string, params: object = {}): Promise<Result> {
    this.#sent += 1
    const answer = Promise.withResolvers<object>()
    this.#answers.set(this.#sent, answer)
    this.socket.send(JSON.stringify({ id: this.#sent, method, params }))
    return (await answer.promise) as Result
  }

  /** The next event of a name, also one that has arrived. */
  async event<Params>(method: string): Promise<Params> {
    for (;;) {
      const index = this.#events.findIndex((event) => event.method === method)
      const [event] = index === -1 ? [] : this.#events.splice(index, 1)
      if (event !== undefined) return event.params as Params
      await this.#woken.promise
    }
  }

  async close(): Promise<void> {
    this.socket.close()
    await once(this.socket, 'close')
  }

  #receive({ id, method = '', params = {}, result, error }: Received): void {
    const answer = id === undefined ? undefined : this.#answers.get(id)
    if (error !== undefined) answer?.reject(new Error(error.message))
    else answer?.resolve(result ?? {})
    if (id !== undefined) return
    this.#events.push({ method, params })
    this.#woken.resolve(undefined)
    this.#woken = Promise.withResolvers()
  }
}

interface Received {
  readonly id?: number
  readonly method?: string
  readonly params?: object
  readonly result?: object
  readonly error?: { readonly message: string }
}
