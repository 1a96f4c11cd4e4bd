import type { NormalAnswer } from '../../models/dialect.ts'
import { answerIn, dialectNamed } from '../../models/dialects.ts'
import { assembleStep, type StepRows } from '../../trace/assemble.ts'
import { omitUndefined } from '../../trace/json.ts'
import type { CallRow, HttpInput, HttpOutput, RecordedError, Row } from '../../trace/rows.ts'
import type { Step } from '../../trace/trace.ts'
import { toRecorded } from '../../trace/values.ts'
import { AskedToolCalls } from './asked-tool-calls.ts'
import type { TelemetryEvent, EventError, ModelCallEvent, StepEvent } from './telemetry-events.ts'

/**
 * Builds the events of a run from its rows as they are kept: each step once it has settled. It reads answers, so it is loaded only when telemetry is
 * set.
 */
export class EventBuilder {
  readonly #content: boolean
  readonly #open = new Map<number, OpenStep>()
  readonly #asked = new AskedToolCalls()
  #events: TelemetryEvent[] = []
  #hasFailed = false

  /** @param content Whether events contain prompts, answers, arguments and results. */
  constructor(content: boolean) {
    this.#content = content
  }

  /** Never throws: a failure here becomes a failure event. */
  add(row: Row): void {
    this.#attempt(() => this.#add(row))
  }

  /** Ends the run: adds events for the steps that are in flight. */
  end(): void {
    this.#attempt(() => {
      for (const open of this.#open.values()) this.#tell(open)
      this.#open.clear()
    })
  }

  /** Returns the events since the last call. */
  take(): TelemetryEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  #add(row: Row): void {
    const open = 'step' in row ? this.#open.get(row.step) : undefined
    switch (row.kind) {
      case 'run': {
        const { agentVersion, tags = {} } = row
        this.#events.push({ kind: 'run', ...(agentVersion === undefined ? {} : { agentVersion }), tags })
        return
      }
      case 'call':
        this.#open.set(row.step, { rows: { call: row, chunks: [] }, toolCallId: this.#claim(row), firstAt: undefined })
        return
      case 'head':
        if (open !== undefined) open.rows.head = row
        return
      case 'chunk':
        if (open === undefined) return
        open.firstAt ??= row.at
        if (open.rows.call.boundary === 'model') open.rows.chunks.push(row)
        return
      case 'return':
      case 'throw':
        if (open === undefined) return
        this.#open.delete(row.step)
        open.rows.settling = row
        this.#tell(open)
        return
      case 'end':
        this.#events.push({ kind: 'end', at: row.at, ...(row.error && { error: this.#errorOf(row.error) }) })
        return
      default:
    }
  }

  #claim({ boundary, name, input }: CallRow): string | undefined {
    return boundary === 'tool' ? this.#asked.claim(name, toRecorded(input)) : undefined
  }

  #tell({ rows, toolCallId, firstAt }: OpenStep): void {
    const step = assembleStep(rows)
    const { boundary, name, owner, at, settledAt } = step
    const isHttp = boundary === 'model' || boundary === 'http'
    const answer = boundary === 'model' ? answerIn(name, step.output) : undefined
    if (answer !== undefined) this.#asked.add(answer.toolCalls)
    const error = step.error === undefined ? this.#answeredError(step, answer) : this.#errorOf(step.error)
    this.#events.push({
      kind: 'step',
      step: step.step,
      owner,
      boundary,
      name,
      at,
      ...(settledAt === undefined ? {} : { settledAt }),
      ...(error && { error }),
      ...(isHttp && toldExchange(step)),
      ...(boundary === 'model' && this.#toldModelCall(step, answer, firstAt)),
      ...(toolCallId === undefined ? {} : { toolCallId }),
      ...(this.#content && boundary === 'tool' && toldContent(step)),
    })
  }

  #toldModelCall(step: Step, answer: NormalAnswer | undefined, firstAt: number | undefined): { readonly model?: ModelCallEvent } {
    const { json, url } = step.input as HttpInput
    const request = dialectNamed(step.name)?.request(json, url)
    if (request === undefined) return {}
    const { provider, model, stream } = request
    return {
      model: {
        request: { provider, model, stream },
        ...(answer && { answer: answerFacts(answer) }),
        ...(firstAt === undefined ? {} : { firstAt }),
        ...(this.#content && { content: { request, ...(answer && { answer }) } }),
      },
    }
  }

  /** An answer may be an error, or contain one. */
  #answeredError({ boundary, output }: Step, answer: NormalAnswer | undefined): EventError | undefined {
    if (boundary !== 'model' && boundary !== 'http') return undefined
    const { status = 0 } = (output ?? {}) as HttpOutput
    const { code, type, message } = answer?.error ?? {}
    const word = type === 'unreadable' ? undefined : (code ?? type)
    if (status < 400 && word === undefined) return undefined
    return { type: String(word ?? status), ...(this.#content && message !== undefined && { message }) }
  }

  #errorOf({ name, class: className, code, message }: RecordedError): EventError {
    const type = typeof code === 'string' ? code : name === 'Error' ? (className ?? name) : name
    return { type, ...(this.#content && { message }) }
  }

  #attempt(tell: () => void): void {
    if (this.#hasFailed) return
    try {
      tell()
    } catch (error) {
      this.#hasFailed = true
      this.#events.push({ kind: 'failure', problem: String(error) })
    }
  }
}

interface OpenStep {
  readonly rows: StepRows
  readonly toolCallId: string | undefined
  /** When the first piece of the answer arrived. */
  firstAt: number | undefined
}

function answerFacts({ model, stopReason, usage }: NormalAnswer): Pick<NormalAnswer, 'model' | 'stopReason' | 'usage'> {
  return omitUndefined({ model, stopReason, usage })
}

function toldExchange({ input, output }: Step): Pick<StepEvent, 'http'> {
  const { method, url } = input as HttpInput
  const { status } = (output ?? {}) as HttpOutput
  return { http: { method, url, ...(status === undefined ? {} : { status }) } }
}

function toldContent({ input, output }: Step): Pick<StepEvent, 'content'> {
  return { content: { input: JSON.stringify(toRecorded(input)), output: JSON.stringify(toRecorded(output)) } }
}
