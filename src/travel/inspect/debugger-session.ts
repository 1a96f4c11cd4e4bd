import { type Debugger, type InspectorNotification, type Runtime, Session } from 'node:inspector'
import type { ParsedScript } from './source-positions.ts'

/** The debugger's event for a stop of the agent's thread. */
export type Paused = Debugger.PausedEventDataType

/** The events that are listened to. */
interface DebuggerEvents {
  readonly 'Debugger.paused': Paused
  readonly 'Debugger.resumed': undefined
  readonly 'Debugger.scriptParsed': ParsedScript
}

/** The inspector of the process's main thread, used from another thread, which continues while the main thread is stopped. */
export class DebuggerSession {
  readonly #session = new Session()

  constructor() {
    this.#session.connectToMainThread()
  }

  /** Calls a method of the inspector's protocol. */
  async post<Result = unknown>(method: string, params: object = {}): Promise<Result> {
    return await new Promise<Result>((resolve, reject) => {
      this.#session.post(method, params, (error, result) => {
        // The inspector returns a plain object.
        if (error === null) resolve(result as Result)
        else reject(new Error(`${method}: ${error.message}`))
      })
    })
  }

  /** Evaluates an expression in the main thread. */
  async evaluate<Result = unknown>(expression: string): Promise<Result> {
    const { result } = await this.post<Runtime.EvaluateReturnType>('Runtime.evaluate', { expression, returnByValue: true })
    return result.value as Result
  }

  on<Event extends keyof DebuggerEvents>(event: Event, listener: (data: DebuggerEvents[Event]) => void): void {
    this.#session.on(event, ({ params }: InspectorNotification<object>) => listener(params as DebuggerEvents[Event]))
  }

  /** Listens to every message of the inspector that is not an answer. */
  onMessage(listener: (message: object) => void): void {
    this.#session.on('inspectorNotification', listener)
  }

  close(): void {
    this.#session.disconnect()
  }
}
