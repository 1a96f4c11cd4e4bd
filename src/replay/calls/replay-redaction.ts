import { isUint8Array } from 'node:util/types'
import { type StandInOrigins, StandInRenaming } from '../../divergence/stand-ins.ts'
import { gatherStandIns, mapTexts } from '../../divergence/gathered-stand-ins.ts'
import { knownOrMade } from '../../trace/remember.ts'
import { currentVariables, formsOf } from '../../node/variables.ts'
import { variablesOf } from '../traces/variables-of.ts'
import { withReadableStandIns } from '../../redaction/encoded-text.ts'
import { environmentSecrets } from '../../redaction/environment-secrets.ts'
import { redactPieces } from '../../redaction/piecewise-redaction.ts'
import type { RedactOptions } from '../../redaction/redact-options.ts'
import { createRedactor } from '../../redaction/redactor.ts'
import type { Redactor } from '../../redaction/redactor-types.ts'
import { repeatedSecrets, type TakenSecrets } from '../../redaction/repeated-secrets.ts'
import { recordedRuleSet } from '../../redaction/rule-set.ts'
import { mapError, toRecordedError } from '../../trace/recorded-error.ts'
import type { RecordedError, Settled } from '../../trace/rows.ts'
import type { Trace } from '../../trace/trace.ts'
import { fromRecorded, toRecorded, toRecordedOutput } from '../../trace/values.ts'
import { isStreamedOutput } from '../../redaction/spelled-texts.ts'
import type { StandIns } from '../../redaction/stand-in.ts'
import { redactorStandIns, standInsOf } from '../../redaction/trace-stand-ins.ts'

/** A call that has settled. */
interface SettledCall {
  /** `taken`: the secrets that were taken out of it, once its value was read. */
  readonly input: { readonly value: unknown; readonly taken?: TakenSecrets | undefined } | undefined
  /** The recorded step that was matched with it. */
  readonly planned: object | undefined
  readonly outcome: Settled | undefined
}

/** Redacts a replayed run's values like its trace, and maps its stand-ins to those of the trace. */
export class ReplayRedaction {
  readonly renaming: StandInRenaming
  /** The e-mail addresses, card and phone numbers that the code wrote literally, by their stand-ins. */
  readonly literals: Map<string, string> = new Map()
  /** The stand-ins of the trace and of this replay. */
  readonly standIns: StandIns
  readonly #trace: Trace
  readonly #options: RedactOptions | undefined
  readonly #renamed: ReplayRedaction | undefined
  #redactor: Redactor | undefined
  #unrenamed: ReplayRedaction | undefined
  #names: ReadonlySet<string> | undefined

  /**
   * @param renaming Default: one in which the trace's stand-ins map to themselves.
   * @param renamed Its redactor is used. Default: one that numbers its stand-ins from above the trace's.
   */
  constructor(trace: Trace, options: RedactOptions | undefined, renaming?: StandInRenaming, renamed?: ReplayRedaction) {
    this.#trace = trace
    this.#options = options
    this.#renamed = renamed
    // Numbered above the trace's stand-ins, so that no value of the code is mistaken for one that the run was given.
    this.standIns = renamed?.standIns ?? redactorStandIns(trace, () => standInOrigins(trace).last)
    this.renaming = renaming ?? new StandInRenaming({ recorded: this.standIns, live: this.standIns }, () => standInOrigins(trace))
  }

  /** The same, but every stand-in that the replay made keeps its own number. */
  get unrenamed(): ReplayRedaction {
    return (this.#unrenamed ??= new ReplayRedaction(this.#trace, this.#options, new StandInRenaming(this.renaming.sides), this))
  }

  /** Created lazily: values that equal the recorded ones are not redacted. */
  get redactor(): Redactor {
    return (this.#redactor ??= this.#renamed?.redactor ?? this.#createRedactor())
  }

  /** A value as it would be in the trace: in recorded form, redacted, with the trace's stand-ins where known. */
  toRecorded(value: unknown): unknown {
    return this.#rename(this.redactor.value(toRecorded(value, () => undefined)))
  }

  /** A value as it would be read from the trace. */
  toRead(value: unknown): unknown {
    return fromRecorded(this.toRecorded(value) as never)
  }

  /** The result of a function, as it would be read from the trace. */
  toReadOutput(value: unknown): unknown {
    return fromRecorded(this.#rename(this.redactor.value(toRecordedOutput(value, () => undefined))) as never)
  }

  /** Renames the stand-ins of a redacted value by everything learned since; returns the same value if nothing was learned. */
  renamed(value: unknown): unknown {
    return this.renaming.isEmpty ? value : fromRecorded(this.#rename(toRecorded(value, () => undefined)) as never)
  }

  /** An error as it would be in the trace. */
  toError(error: unknown): RecordedError {
    return this.redactError(toRecordedError(error))
  }

  redactError(recorded: RecordedError): RecordedError {
    return mapError(
      recorded,
      (value) => this.toRead(value),
      (text) => this.toText(text),
    )
  }

  /** As in a recording: if a value was taken out of a call's input and occurs in the call's result, it is secret from now on. */
  learnFrom({ input, planned, outcome }: SettledCall): void {
    if (input === undefined || outcome === undefined) return
    // An input that equals the recorded one was not redacted: it has no secrets.
    if (planned === undefined) void input.value
    const { taken } = input
    if (taken === undefined || taken.size === 0) return
    const hasFailed = 'error' in outcome
    const { standIns, renaming } = this
    const inReplay = { standIns, recordedFor: (number: number) => renaming.recordedFor(number) }
    const came = hasFailed ? toRecordedError(outcome.error) : toRecorded(outcome.output, () => undefined)
    for (const secret of repeatedSecrets(taken, came, hasFailed, inReplay)) this.redactor.know(secret)
  }

  /** Whether a recorded text and a replayed one are the same. Learns the pairs that this requires. */
  isSame(expected: string, received: string): boolean {
    return expected === received || this.renaming.isSame(expected, received)
  }

  /** The stand-in for a credential, as it would be in the trace. */
  toCredential(value: string): string {
    return this.renaming.toRecorded(this.redactor.credential(value))
  }

  /** Whether the run was given this stand-in's value: by its input or by an answer. */
  isGiven(number: number): boolean {
    const { last, isOwn } = standInOrigins(this.#trace)
    return number <= last && !isOwn(number)
  }

  /** The name of a step or a checkpoint as it would be in the trace. */
  nameOf(name: string): string {
    this.#names ??= new Set([...this.#trace.steps, ...this.#trace.checkpoints].map((recorded) => recorded.name))
    return this.#names.has(name) ? name : this.toText(name)
  }

  toText(text: string): string {
    return this.renaming.toRecorded(this.redactor.text(text))
  }

  #createRedactor(): Redactor {
    const ruleSet = recordedRuleSet(this.#trace.header.redaction, this.#options)
    const redactor = createRedactor({
      ruleSet,
      standIns: this.standIns,
      onStandIn: (standIn, literal, shape) => {
        if (shape === 'email' || shape === 'card' || shape === 'phone') this.literals.set(standIn, literal)
      },
    })
    if (ruleSet.knowsEnvironment) for (const secret of this.#secretsOfEnvironment()) redactor.know(secret)
    return redactor
  }

  /** Another machine's key may be a word: the variables that the run sent are known by the trace. */
  #secretsOfEnvironment(): string[] {
    const variables = currentVariables()
    const sent = Object.entries(variablesOf(this.#trace.rows)).flatMap(([name, value]) =>
      value === null ? (variables.values[name] ?? []) : [],
    )
    return [...environmentSecrets(variables), ...sent.flatMap((value) => [...formsOf(value)])]
  }

  #rename(value: unknown): unknown {
    if (typeof value === 'string') return this.renaming.toRecorded(value)
    if (typeof value !== 'object' || value === null || isUint8Array(value)) return value
    if (Array.isArray(value)) return value.map((item) => this.#rename(item))
    const renamed = isStreamedOutput(value) ? { ...value, yielded: mapTexts(value.yielded, (texts) => this.#renamePieces(texts)) } : value
    return Object.fromEntries(Object.entries(renamed).map(([key, field]) => [this.renaming.toRecorded(key), this.#rename(field)]))
  }

  /** A stand-in may be divided among pieces. */
  #renamePieces(pieces: readonly string[]): readonly string[] {
    const whole = pieces.join('')
    const renamed = this.renaming.toRecorded(whole)
    return redactPieces(pieces, renamed.length === whole.length ? [{ start: 0, end: whole.length, text: renamed }] : [])
  }
}

const known = new WeakMap<Trace, StandInOrigins>()

/** The origins of a trace's stand-ins: values that the run was given, or its own. */
function standInOrigins(trace: Trace): StandInOrigins {
  return knownOrMade(known, trace, () => findOrigins(trace))
}

function findOrigins(trace: Trace): StandInOrigins {
  const { header, rows, steps } = trace
  const standIns = standInsOf(trace)
  const given = new Set<number>()
  const own = new Set<number>()
  // Resent conversations share their messages.
  const seen = new WeakSet()
  const visit = (value: unknown, first: Set<number>, other: ReadonlySet<number>): void => {
    if (typeof value === 'string') {
      for (const { number } of standIns.find(withReadableStandIns(value, standIns))) if (!other.has(number)) first.add(number)
    } else if (typeof value === 'number') visit(String(value), first, other)
    else if (isUint8Array(value)) visit(Buffer.from(value).toString('latin1'), first, other)
    else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value)
      if (value instanceof Map || value instanceof Set || value instanceof Headers) for (const item of value) visit(item, first, other)
      else if (value instanceof URL) visit(value.href, first, other)
      else for (const [key, field] of Object.entries(value)) [key, field].forEach((part) => visit(part, first, other))
      if (value instanceof Error) [value.message, value.cause].forEach((part) => visit(part, first, other))
    }
  }
  const give = (value: unknown): void => visit(value, given, own)
  const make = (value: unknown): void => visit(value, own, given)
  const outputs = new Map(steps.map(({ step, output }) => [step, output]))
  give([header.input, header.resumedFrom?.state, header.ambient?.answers, header.runtime.env])
  // The first place of each decides. A trace that lists its stand-ins may name all of them in its first rows.
  const isOver = (): boolean => standIns.last > 0 && given.size + own.size === standIns.last
  for (const row of rows) {
    if (isOver()) break
    if (row.kind === 'call') make([row.input, row.idempotencyKey, row.credentials])
    else if (row.kind === 'checkpoint') make(row.state)
    else if (row.kind === 'end') make([gatherStandIns(row.output, standIns), row.error])
    // Uses the whole body of a stream, because a stand-in may be split across chunks.
    else if (row.kind === 'return') give([row.output, outputs.get(row.step)])
    else if (row.kind === 'head') give([row.headers, row.url])
    else if (row.kind === 'chunk') give([row.text, row.bytes])
    else if (row.kind === 'throw') give(row.error)
    else if (row.kind === 'signal') give(row.value)
    else if (row.kind === 'reads') give([row.uuid, row.facts])
  }
  return { last: Math.max(standIns.last, ...given, ...own), isOwn: (number) => own.has(number) }
}
