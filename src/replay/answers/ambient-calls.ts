import { canonicalInput } from '../../divergence/canonical-input.ts'
import type { PathRules } from '../../divergence/path-rules.ts'
import { type BlankedText, type KnownStandIns, type StandInRenaming, blankStandIns } from '../../divergence/stand-ins.ts'
import type { Boundary } from '../../trace/boundary.ts'
import { ambientSteps } from '../../trace/ambient-steps.ts'
import { isSessionStep } from '../../trace/assemble.ts'
import { omitUndefined } from '../../trace/json.ts'
import { isNamedCall, type NamedCall } from '../../trace/named-urls.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import type { HttpInput, HttpOutput } from '../../trace/rows.ts'
import { isStoreAnswer, mayReadStore } from '../../trace/store-reads.ts'
import { type AmbientAnswer, ambientSignal } from '../../trace/run-row.ts'
import type { Step, Trace } from '../../trace/trace.ts'
import { copyValue, toRecorded } from '../../trace/values.ts'
import { wholeBody } from './http-delivery.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import { realTimers } from '../../node/real-timers.ts'
import type { AnswerSink, AnsweredExchange, AnsweredRun } from '../../run/active-run.ts'
import { runOutside } from '../../run/scope.ts'

/**
 * Answers calls that a process makes once for many runs. In production they were made in an earlier run or in this one; a test may make them
 * at any time. So they are never missing and never unexpected.
 */
export class AmbientCalls {
  readonly #names: readonly string[]
  readonly #header: Trace['header']
  readonly #rules: PathRules
  /** The steps that may be made any number of times. */
  readonly #leftOut: ReadonlySet<number>
  /** The latest first. */
  readonly #answers: readonly AmbientAnswer[]
  readonly #renaming: StandInRenaming
  /** The reads from stores that this replay has not repeated yet, in the recorded order. Empty if none of them failed. */
  readonly #reads: Step[]

  /** @param names Hosts, URLs, and names of tools and externals, in addition to those that were passed when the trace was recorded. */
  constructor({ header, steps, rows }: Trace, names: readonly string[], rules: PathRules, renaming: StandInRenaming) {
    this.#rules = rules
    this.#renaming = renaming
    this.#header = header
    this.#names = [...(header.ambient?.names ?? []), ...names]
    const ambient = ambientSteps(steps, this.#names, header)
    this.#leftOut = new Set(steps.filter((step) => ambient.has(step) || isSessionStep(step)).map(({ step }) => step))
    const reads = [...ambient].filter((step) => !isNamedCall(step, this.#names)).toReversed()
    const failed = new Set(reads.filter(({ output }) => !isStoreAnswer(output)))
    this.#reads = failed.size === 0 ? [] : reads
    const made = steps.filter((step) => ambient.has(step) && !failed.has(step) && isAnswered(step)).map(toAnswer)
    const heard = rows.flatMap((row) => (row.kind === 'signal' && row.name === ambientSignal ? [row.value as AmbientAnswer] : []))
    this.#answers = [...(header.ambient?.answers ?? []), ...heard, ...made].toReversed()
  }

  /** Whether a recorded call may be made any number of times. This includes the process of a session, which is started once for many runs. */
  leavesOut({ step }: Pick<Step, 'step'>): boolean {
    return this.#leftOut.has(step)
  }

  /** Whether a call was declared ambient. @param url Of a request. */
  isNamed({ boundary, name }: Omit<NamedCall, 'input'>, url?: string): boolean {
    return this.#names.length > 0 && isNamedCall({ boundary, name, input: { url } }, this.#names)
  }

  /** Whether the answer depends on the body of a request: it reads from a store. */
  dependsOnBody({ method, url }: Pick<HttpInput, 'method' | 'url'>): boolean {
    return this.#header.format >= 3 && mayReadStore(method, url)
  }

  /**
   * Returns the latest answer to an equal call; else, for a call that was declared, to any call of its name. Undefined if there is none: a prompt or a
   * flag that was not read in the recording is like any other call.
   *
   * @param url Of a request.
   */
  answerTo(call: AskedCall, url?: string): { readonly value: unknown } | undefined {
    if (this.#answers.length === 0) return undefined
    const known = this.#answers.filter(({ boundary, name }) => boundary === call.boundary && name === call.name)
    if (known.length === 0) return undefined
    const equal = known.find((each) => this.#isEqual(each, call))
    const answer = equal ?? known.find((each) => this.#names.some((name) => areBothNamed([each, { ...call, input: { url } }], name)))
    if (answer === undefined) return undefined
    if (call.boundary === 'tool' || call.boundary === 'external') return { value: copyValue(answer.output) }
    return toResponse(answer.output)
  }

  /**
   * Returns the response to the recorded read that a call repeats, if it failed and the client sent it again. Undefined for every other call, and for one
   * that got no response. Each recorded read is repeated once; so this is asked once per call.
   */
  failureOf(call: AskedCall): { readonly value: unknown } | undefined {
    if (this.#reads.length === 0) return undefined
    const index = this.#reads.findIndex((read) => read.boundary === call.boundary && read.name === call.name && this.#isEqual(read, call))
    const [read] = index === -1 ? [] : this.#reads.splice(index, 1)
    return read?.output === undefined || isStoreAnswer(read.output) ? undefined : toResponse(read.output)
  }

  /** A client of its own, with an id of its own in a header, reads the same from a store. So headers do not count. */
  #isEqual({ boundary, name, input }: Pick<AmbientAnswer, 'boundary' | 'name' | 'input'>, call: AskedCall): boolean {
    const { recorded, live } = this.#renaming.sides
    const blanked = (value: unknown, side: KnownStandIns): BlankedText =>
      blankStandIns(canonicalInput(boundary, name, withoutHeaders(boundary, value), this.#rules), side)
    const { text, numbers } = blanked(toRecorded(input), recorded)
    const replayed = call.input && blanked(call.input.value, live)
    return replayed?.text === text && this.#renaming.pairsFor(numbers, replayed.numbers) !== undefined
  }
}

function withoutHeaders(boundary: Boundary, input: unknown): unknown {
  return boundary === 'http' ? { ...(input as HttpInput), headers: [] } : input
}

/** A call of a replay. */
type AskedCall = Pick<ReplayCall, 'boundary' | 'name' | 'input'>

function areBothNamed(calls: readonly NamedCall[], name: string): boolean {
  return calls.every((call) => isNamedCall(call, [name]))
}

function toResponse(output: unknown): { readonly value: unknown } {
  const { status = 200, statusText, headers = [], ...body } = output as HttpOutput
  return { value: { status, ...omitUndefined({ statusText }), headers, body: wholeBody(body) } }
}

function toAnswer({ boundary, name, input, output }: Step): AmbientAnswer {
  return { boundary, name, input, output }
}

/** A function that returned undefined has still answered. */
function isAnswered({ boundary, output, error, settledAt }: Step): boolean {
  const isFunction = boundary === 'tool' || boundary === 'external'
  return output !== undefined || (isFunction && error === undefined && settledAt !== undefined)
}

/** A run that answers some calls itself. */
interface AnsweringRun extends Pick<AnsweredRun, 'busy'> {
  readonly conductor: { goRound(): void; isOver(): boolean }
}

/**
 * Answers with success and with nothing, in the form that was sent: what is muted goes nowhere in a replay.
 *
 * @param contentType Of the request. Default: the answer has no body.
 */
export function answerMuted(run: AnsweringRun, sink: AnswerSink, contentType = ''): AnsweredExchange {
  const form = forms.find(({ pattern }) => pattern.test(contentType))
  return answerInNextTurn(run, () => {
    sink.head({ status: 200, headers: form === undefined ? [] : [['content-type', contentType]] })
    if (form !== undefined) sink.data(form.nothing)
    sink.end(form?.trailers)
  })
}

interface EmptyForm {
  readonly pattern: RegExp
  readonly nothing: Uint8Array
  readonly trailers?: HeaderPairs
}

/** Clients parse an answer in these forms, and fail on an empty body. Source: grpc.io, PROTOCOL-HTTP2, Length-Prefixed-Message. */
const forms: readonly EmptyForm[] = [
  { pattern: /^application\/grpc/, nothing: new Uint8Array(5), trailers: [['grpc-status', '0']] },
  { pattern: /^application\/json/, nothing: new TextEncoder().encode('{}') },
]

/** Answers without the conductor, in the next turn of the event loop, unless the run is over by then: an agent that asks for ever would go on. */
export function answerInNextTurn(run: AnsweringRun, answer: () => void): AnsweredExchange {
  const release = run.busy()
  run.conductor.goRound()
  const handle = runOutside(() =>
    realTimers.setImmediate(() => {
      release()
      if (!run.conductor.isOver()) answer()
    }),
  )
  return {
    stop: () => {
      release()
      clearImmediate(handle)
    },
  }
}
