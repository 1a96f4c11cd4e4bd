import { inspectError } from '../../travel/inspect/inspect-apart.ts'

/** The terminal's end of the connection to the debugger's port. */
export class DebugClient {
  readonly #socket: WebSocket
  readonly #answers = new Map<number, PromiseWithResolvers<object>>()
  readonly #waiting = new Set<() => void>()
  #sent = 0
  #isStopped = false

  constructor(url: string) {
    this.#socket = new WebSocket(url)
    this.#socket.addEventListener('message', ({ data }) => this.#receive(String(data)))
    this.#socket.addEventListener('close', () => this.#fail())
  }

  /** Attaches to the debugger. */
  async open(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#socket.addEventListener('open', () => resolve())
      this.#socket.addEventListener('error', () => reject(inspectError('The debugger of the replay could not be reached.')))
    })
    await this.send('Debugger.enable')
  }

  /** Whether the replay is still running. */
  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  /** Calls a method of the inspector or of goldenrun. */
  async send<Result = object>(method: string, params: object = {}): Promise<Result> {
    if (!this.isOpen) throw inspectError(OVER)
    this.#sent += 1
    const answer = Promise.withResolvers<object>()
    this.#answers.set(this.#sent, answer)
    this.#socket.send(JSON.stringify({ id: this.#sent, method, params }))
    return (await answer.promise) as Result
  }

  /** Waits until the agent is stopped, or the replay is over. */
  async stopped(): Promise<void> {
    if (this.#isStopped || this.#socket.readyState === WebSocket.CLOSED) return
    await new Promise<void>((resolve) => void this.#waiting.add(resolve))
  }

  /** Marks the agent as continued: `stopped` then waits for the next stop. */
  goesOn(): void {
    this.#isStopped = false
  }

  close(): void {
    this.#socket.close()
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as Message
    if (message.id === undefined) return this.#hear(message.method)
    const answer = this.#answers.get(message.id)
    this.#answers.delete(message.id)
    if (message.error === undefined) answer?.resolve(message.result ?? {})
    else answer?.reject(inspectError(message.error.message))
  }

  #hear(event: string): void {
    if (event === 'Debugger.resumed') this.#isStopped = false
    if (event !== 'Debugger.paused') return
    this.#isStopped = true
    this.#wake()
  }

  #fail(): void {
    for (const { reject } of this.#answers.values()) reject(inspectError(OVER))
    this.#answers.clear()
    this.#wake()
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}

/** The message of commands that need a replay. */
export const OVER = 'The replay is over. To go to a step again: to <step>'

interface Message {
  readonly id?: number
  readonly method: string
  readonly result?: object
  readonly error?: { readonly message: string }
}
