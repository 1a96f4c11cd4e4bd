import { polledResponse } from '../models/polled-answers.ts'
import { usageInText } from '../models/usage-in-text.ts'
import { modelInPath } from '../models/url-path.ts'
import type { CallRow, ChunkRow, HttpInput, HttpOutput, Row } from '../trace/rows.ts'
import type { RunRow } from '../trace/run-row.ts'
import { RunEffects } from './run-effects.ts'
import type { RunSummary } from './run-summary.ts'

/** How many characters at the start and at the end of an answer are searched for usage. */
const LOOKED_AT = 4096

/** Matches the id of an OpenAI response. */
const responseId = /(?<="id":\s{0,4}")resp_[\w-]+/

/** Computes a run's summary from its rows, one by one, while recording or from a recording. */
export class RunSummarizer {
  readonly #header: RunRow
  readonly #models = new Set<string>()
  readonly #tools = new Set<string>()
  readonly #answers = new Map<number, Ends>()
  /** Background responses, whose usage arrives with later polls. */
  readonly #inBackground = new Set<string>()
  readonly #flags: string[] = []
  readonly #effects: RunEffects
  #counts = { steps: 0, modelCalls: 0, toolCalls: 0, repeatedSideEffects: 0 }
  #usage = { inputTokens: 0, outputTokens: 0 }
  #end: Pick<RunSummary, 'status' | 'durationMs' | 'error'> = { status: 'in-flight' }

  /** @param header The redacted header. */
  constructor(header: RunRow) {
    this.#header = header
    this.#effects = new RunEffects(header)
  }

  add(row: Row): void {
    switch (row.kind) {
      case 'stand-in':
        return this.#effects.standIn(row)
      case 'call':
        this.#effects.call(row)
        return this.#call(row)
      case 'chunk':
        this.#answers.get(row.step)?.add(textOf(row))
        return
      case 'head':
        return this.#effects.answers(row.step, row.status)
      case 'return':
        this.#effects.answers(row.step, (row.output as HttpOutput | undefined)?.status)
        return this.#return(row.step, row.output)
      case 'note':
        if (row.what === 'repeated-side-effect') this.#counts.repeatedSideEffects += 1
        if (row.what === 'repeated-side-effect' || row.what === 'flagged') this.#flags.push(row.where)
        return
      case 'end': {
        const { error, at } = row
        if (error === undefined) this.#end = { status: 'returned', durationMs: at }
        else this.#end = { status: 'threw', durationMs: at, error: { name: error.name, message: error.message } }
        return
      }
      default:
    }
  }

  /** The current summary. */
  get summary(): RunSummary {
    const { id, traceId, agent, agentVersion, startedAt, tags = {} } = this.#header
    const { status, ...end } = this.#end
    const effects = this.#effects.list
    return {
      id,
      traceId,
      agent,
      ...(agentVersion === undefined ? {} : { agentVersion }),
      status,
      startedAt,
      ...end,
      ...this.#counts,
      models: [...this.#models],
      tools: [...this.#tools],
      tags,
      flags: [...this.#flags],
      ...(effects.length === 0 ? {} : { effects }),
      usage: { ...this.#usage },
    }
  }

  #call({ step, boundary, name, input }: CallRow): void {
    this.#counts.steps += 1
    if (boundary === 'tool' || boundary === 'external') {
      this.#counts.toolCalls += 1
      this.#tools.add(name)
    }
    if (boundary === 'http' && this.#inBackground.has(polledResponse(input as HttpInput) ?? '')) this.#answers.set(step, new Ends())
    if (boundary !== 'model') return
    this.#counts.modelCalls += 1
    this.#answers.set(step, new Ends())
    const model = modelOf(input as HttpInput)
    if (model !== '') this.#models.add(model)
  }

  #return(step: number, output: unknown): void {
    const answer = this.#answers.get(step)
    if (answer === undefined) return
    this.#answers.delete(step)
    const whole = (output ?? {}) as HttpOutput
    if (whole.json !== undefined || whole.text !== undefined) answer.add(whole.text ?? JSON.stringify(whole.json))
    const { text } = answer
    const { inputTokens, outputTokens } = usageInText(text)
    this.#usage = { inputTokens: this.#usage.inputTokens + inputTokens, outputTokens: this.#usage.outputTokens + outputTokens }
    const id = responseId.exec(text)?.[0]
    if (id === undefined) return
    if (inputTokens === 0) this.#inBackground.add(id)
    else this.#inBackground.delete(id)
  }
}

/** Computes the summary of a complete list of rows. */
export function summarizeRows([header, ...rows]: readonly Row[]): RunSummary {
  if (header?.kind !== 'run') throw new TypeError('The first row of a trace has to be its header.')
  const summarizer = new RunSummarizer(header)
  for (const row of rows) summarizer.add(row)
  return summarizer.summary
}

/** The start and the end of an answer, where usage is found. */
class Ends {
  #start = ''
  #end = ''

  add(piece: string): void {
    if (this.#start.length < LOOKED_AT) this.#start += piece.slice(0, LOOKED_AT)
    this.#end += piece
    // Cut only occasionally, because pieces are many and small.
    if (this.#end.length > 4 * LOOKED_AT) this.#end = this.#end.slice(-LOOKED_AT)
  }

  get text(): string {
    return `${this.#start}\n${this.#end.slice(-LOOKED_AT)}`
  }
}

function textOf({ text, bytes }: ChunkRow): string {
  if (text !== undefined) return text
  return bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

function modelOf({ json, url }: HttpInput): string {
  const named = typeof json === 'object' && json !== null && 'model' in json ? json.model : undefined
  return typeof named === 'string' && named !== '' ? named : modelInPath(url)
}
