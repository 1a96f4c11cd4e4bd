import type { Debugger } from 'node:inspector'
import type { DebuggerSession, Paused } from './debugger-session.ts'
import type { DebuggerReport, DebuggerTask } from './debugger-thread.ts'
import { DebuggerPort, type PortAddress } from './port/debugger-port.ts'
import { type OwnMethods, SessionClient } from './port/session-client.ts'
import { FrameReader } from './read-stop.ts'
import { breakBeforeCalls } from './call-places.ts'
import { learnTexts } from './script-texts.ts'
import type { SourcePositions } from './source-positions.ts'
import type { ReadStop } from './stop.ts'

type DebugTask = Extract<DebuggerTask, { readonly mode: 'debug' }>

/** Stops the agent at its calls for clients of the debugger's port. Only clients continue it. */
export class AgentStopper {
  readonly #session: DebuggerSession
  readonly #positions: SourcePositions
  readonly #task: DebugTask
  readonly #frames: FrameReader
  readonly #port: DebuggerPort
  readonly #onAttached: () => void
  #paused: Paused | undefined
  #clients = 0
  #address: PortAddress | undefined

  /** @param onAttached Called when a client is ready for the replay to start. */
  constructor(session: DebuggerSession, positions: SourcePositions, task: DebugTask, onAttached: () => void) {
    ;[this.#session, this.#positions, this.#task, this.#onAttached] = [session, positions, task, onAttached]
    this.#frames = new FrameReader(session, positions, task.hook)
    this.#port = new DebuggerPort(task.title, (client, isTerminal) => {
      this.#clients += 1
      const connected = new SessionClient(client, isTerminal ? this.#terminalMethods() : {}, (method) => {
        if (method === 'Runtime.runIfWaitingForDebugger') onAttached()
      })
      return { receive: (text) => connected.receive(text), close: () => this.#leave(connected) }
    })
  }

  get address(): PortAddress | undefined {
    return this.#address
  }

  async begin(): Promise<void> {
    await breakBeforeCalls(this.#session, this.#task)
    this.#session.on('Debugger.resumed', () => (this.#paused = undefined))
    this.#address = await this.#port.listen(this.#task.port)
  }

  async stopped(paused: Paused): Promise<void> {
    this.#paused = paused
    // All clients have disconnected, so none would continue the agent.
    if (this.#clients === 0) await this.#session.post('Debugger.resume')
  }

  report(): DebuggerReport {
    this.#port.close()
    return { places: [], stops: [] }
  }

  #terminalMethods(): OwnMethods {
    return {
      'Goldenrun.start': async () => {
        this.#onAttached()
        return Promise.resolve({})
      },
      'Goldenrun.goTo': async (params) => {
        const { visit } = params as { readonly visit: number }
        await this.#session.evaluate(`${this.#task.hook}.stopAt(${visit})`)
        await this.#session.post('Debugger.resume')
        return {}
      },
      'Goldenrun.read': async () => await this.#read(),
    }
  }

  /** Returns the agent's current frames with their variables. */
  async #read(): Promise<ReadStop | object> {
    const paused = this.#paused
    if (paused === undefined) return {}
    const [session, { hook }] = [this.#session, this.#task]
    await learnTexts(paused, session, this.#positions)
    await session.evaluate(`${hook}.beginReading()`)
    const { frames, waiting } = await this.#frames.read(paused)
    const scopes: Record<number, ReadStop['scopes'][number]> = {}
    for (const { number } of frames.flatMap((frame) => frame.scopes)) scopes[number] = await session.evaluate(`${hook}.scope(${number})`)
    const callFrames = paused.callFrames.filter(({ location }) => this.#positions.isOfAgent(location)).map(({ callFrameId }) => callFrameId)
    const environment = await session.evaluate<ReadStop['environment']>(`${hook}.environment()`)
    return { frames, waiting, scopes, environment, callFrames }
  }

  #leave(client: SessionClient): void {
    client.close()
    this.#clients -= 1
    if (this.#clients === 0 && this.#paused !== undefined) void this.#session.post<Debugger.Location>('Debugger.resume')
  }
}
