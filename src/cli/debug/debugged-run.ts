import type { Runtime } from 'node:inspector'
import { Script } from 'node:vm'
import type { Json } from '../../trace/json.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { Trace } from '../../trace/trace.ts'
import type { FrameRedaction } from '../../travel/inspect/redact-frames.ts'
import { type ApartRequest, inspectError, type ReplayApart, type StartedReplay } from '../../travel/inspect/inspect-apart.ts'
import type { InspectAnswer, StepVisit } from '../../travel/inspect/inspect-request.ts'
import type { InspectedStep } from '../../travel/inspect/inspected-run.ts'
import { FrameMaker } from '../../travel/inspect/inspected-steps.ts'
import { type DescribedAnswer, HOOK } from '../../travel/inspect/inspection-hook.ts'
import type { PortAddress } from '../../travel/inspect/port/debugger-port.ts'
import type { ReadStop } from '../../travel/inspect/stop.ts'
import { DebugClient, OVER } from './debug-client.ts'

/** A recorded run whose replay is debugged. */
export interface DebuggedSubject {
  readonly trace: Trace
  readonly apart: ReplayApart
  readonly request: Omit<ApartRequest, 'mode'>
  /** The visits that an earlier replay found. */
  readonly visits: readonly StepVisit[]
  readonly redaction: FrameRedaction
  /** The port that editors attach to. Default: any free port. */
  readonly port?: number
}

/**
 * A replay that is stopped at a step. A later step is reached by continuing. An earlier step is reached by a new replay in a new process: an agent
 * does the same in every replay.
 */
export class DebuggedRun {
  readonly #subject: DebuggedSubject
  #started: StartedReplay | undefined
  #client: DebugClient | undefined
  #address: PortAddress | undefined
  #step = 0
  #isOver = false

  constructor(subject: DebuggedSubject) {
    this.#subject = subject
  }

  /** The step at which the agent is stopped; 0 if it is not stopped. */
  get step(): number {
    return this.#step
  }

  /** Whether the agent is stopped before the call that stopped the replay, which the recorded run does not have. */
  get isAtExtraCall(): boolean {
    return this.#subject.visits.some(({ step, isExtra }) => step === this.#step && isExtra === true)
  }

  /** Whether the replay has reached its end. */
  get isOver(): boolean {
    return this.#isOver || this.#client?.isOpen === false
  }

  /** The address that Chrome or an editor attaches to. */
  get address(): PortAddress | undefined {
    return this.#address
  }

  /** The steps at which it can stop, in order. */
  get steps(): readonly number[] {
    return this.#subject.visits.map(({ step }) => step).toSorted((one, other) => one - other)
  }

  /**
   * Goes to a step.
   *
   * @throws GoldenrunError if the agent is at no line of its own at that step.
   */
  async goTo(step: number): Promise<void> {
    const visit = this.#visitOf(step)
    if (visit === undefined)
      throw inspectError(
        `At step ${step}, the agent is not in its own code. ${this.#insideOf(step)}Its own code runs at steps ${this.steps.join(', ')}.`,
      )
    const current = this.#step === 0 ? undefined : this.#visitOf(this.#step)
    if (current === undefined || current > visit || this.#client?.isOpen !== true) await this.#start(visit)
    else if (current < visit) await this.#goOn(this.#client, visit)
    this.#step = step
    this.#isOver = false
  }

  /** Continues the replay to its end. */
  async finish(): Promise<InspectAnswer | undefined> {
    const [client, started] = [this.#client, this.#started]
    if (client === undefined || started === undefined) return undefined
    await client.send('Goldenrun.goTo', { visit: 0 }).catch(() => undefined)
    this.#step = 0
    this.#isOver = true
    return await started.answer
  }

  /** Returns the agent's current frames. */
  async read(): Promise<Pick<InspectedStep, 'frames' | 'waiting'>> {
    const stop = await this.#stop()
    this.#subject.redaction.learnEnvironment(stop.environment)
    const maker = new FrameMaker((number) => stop.scopes[number] ?? [], this.#subject.redaction)
    return { frames: stop.frames.map((frame) => maker.frame(frame)), waiting: stop.waiting.map((frame) => maker.waiting(frame)) }
  }

  /**
   * Evaluates an expression in the agent's innermost frame. A variable that this frame lacks is read from the frames around it. Functions in the
   * expression run, up to a time limit.
   */
  async evaluate(expression: string): Promise<Json> {
    const client = this.#connected()
    const { callFrames } = await this.#stop()
    if (callFrames.length === 0) throw inspectError('The agent is not stopped in its own code.')
    checkExpression(expression)
    const frames = VARIABLE.test(expression) ? callFrames : callFrames.slice(0, 1)
    let answer: Runtime.EvaluateReturnType | undefined
    for (const callFrameId of frames) {
      const found = await evaluateIn(client, callFrameId, expression)
      answer ??= found
      if (found.exceptionDetails?.exception?.className === 'ReferenceError') continue
      answer = found
      break
    }
    if (answer === undefined) throw inspectError(OVER)
    const { result, exceptionDetails } = answer
    if (exceptionDetails !== undefined) throw inspectError(firstLine(exceptionDetails.exception?.description ?? exceptionDetails.text))
    const { value, environment } = result.value as DescribedAnswer
    this.#subject.redaction.learnEnvironment(environment)
    return this.#subject.redaction.redact({ result: value })['result'] ?? null
  }

  /** Ends the replay. */
  async close(): Promise<void> {
    const started = this.#started
    this.#client?.close()
    this.#client = undefined
    this.#started = undefined
    this.#step = 0
    started?.end()
    // By then its port is free.
    await started?.answer.catch(() => undefined)
  }

  async #start(visit: number): Promise<void> {
    await this.close()
    const { apart, request, port, trace } = this.#subject
    const title = `goldenrun: ${trace.header.golden?.name ?? trace.header.id}`
    const started = apart.start({ ...request, mode: 'debug', debug: { visit, title, ...(port !== undefined && { port }) } })
    this.#started = started
    // Callers that need the answer get its error. A process that is ended on purpose has no answer.
    started.answer.catch(() => undefined)
    const address = await started.address
    if (address === undefined)
      throw await started.answer.then(
        () => inspectError('The replay was over before it began.'),
        (error: unknown) => error,
      )
    const client = new DebugClient(address.terminal)
    this.#address = address
    this.#client = client
    await client.open()
    await client.send('Goldenrun.start')
    await client.stopped()
  }

  async #goOn(client: DebugClient, visit: number): Promise<void> {
    client.goesOn()
    await client.send('Goldenrun.goTo', { visit })
    await client.stopped()
  }

  async #stop(): Promise<ReadStop> {
    const stop = await this.#connected().send<Partial<ReadStop>>('Goldenrun.read')
    if (stop.frames === undefined) throw inspectError('The agent is running: another client resumed it.')
    return stop as ReadStop
  }

  #connected(): DebugClient {
    if (this.#client === undefined || this.#step === 0) throw inspectError(OVER)
    return this.#client
  }

  /** Explains why the agent is never at a step inside a tool. */
  #insideOf(step: number): string {
    const { steps } = this.#subject.trace
    const owner = steps.find((each) => each.step === step)?.owner
    const tool = steps.find((each) => each.step === owner)
    if (tool === undefined || this.#subject.request.tools === 'run') return ''
    return `It is inside ${tool.name} (step ${tool.step}), whose function does not run: --tools run. `
  }

  #visitOf(step: number): number | undefined {
    return this.#subject.visits.find((each) => each.step === step)?.visit
  }
}

async function evaluateIn(client: DebugClient, callFrameId: string, expression: string): Promise<Runtime.EvaluateReturnType> {
  try {
    return await client.send('Debugger.evaluateOnCallFrame', {
      callFrameId,
      expression: `${HOOK}.answer(${expression}\n)`,
      returnByValue: true,
      silent: true,
      timeout: LONGEST_EVALUATION,
    })
  } catch (error) {
    if (!GoldenrunError.isInstance(error) || !error.message.includes('Execution was terminated')) throw error
    throw inspectError(`It was ended after ${LONGEST_EVALUATION / 1000} seconds.`)
  }
}

/** Milliseconds. */
const LONGEST_EVALUATION = 5_000

/** A variable, or a field of one. */
const VARIABLE = /^[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\??\.#?[\p{ID_Start}$_][\p{ID_Continue}$]*|\[(?:\d+|"[^"\\]*"|'[^'\\]*')\])*$/u

/** @throws GoldenrunError for text that is not an expression. */
function checkExpression(expression: string): void {
  if (/^await\b/.test(expression)) throw inspectError('The agent is stopped, so no promise settles: an expression cannot await one.')
  try {
    // Parsed inside a class, so that private names are accepted. Nothing is run.
    void new Script(`(class { async #m() { (${expression}\n) } })`)
  } catch (error) {
    if (!(error instanceof SyntaxError) || /private field/i.test(error.message)) return
    throw inspectError(`This is not an expression: ${error.message}`)
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
