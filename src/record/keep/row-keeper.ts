import { debugLog } from '../../node/debug-log.ts'
import type { Variables } from '../../node/variables.ts'
import { knownOrMade } from '../../trace/remember.ts'
import type { RunSummary } from '../../stores/run-summary.ts'
import type { StoredRun } from '../../stores/stored-run.ts'
import type { Json } from '../../trace/json.ts'
import type { Credential } from '../../trace/http-facts.ts'
import type { NoteRow, RecordedError, ReturnRow, Row, ThrowRow } from '../../trace/rows.ts'
import type { StandInRow } from '../../trace/stand-in-row.ts'
import type { RunRow } from '../../trace/run-row.ts'
import { mapError } from '../../trace/recorded-error.ts'
import { fromRecorded } from '../../trace/values.ts'
import type { EntryBody, RawEntry, RawRow } from '../raw/raw-entry.ts'
import { environmentSecrets } from '../../redaction/environment-secrets.ts'
import { hasColumns } from '../../redaction/columns.ts'
import { Places } from '../../redaction/places.ts'
import { isDrawnSecret, repeatedSecrets, type TakenSecrets } from '../../redaction/repeated-secrets.ts'
import { ListedStandIns } from '../../redaction/listed-stand-ins.ts'
import { redactHeader } from '../../redaction/redact-header.ts'
import { createRedactor } from '../../redaction/redactor.ts'
import type { Redactor } from '../../redaction/redactor-types.ts'
import type { RuleSet } from '../../redaction/rule-set.ts'
import type { Shape } from '../../redaction/stand-in.ts'
import type { RunSecrets } from '../secrets/run-secrets.ts'
import { ExchangeKeeper, type SharedByExchanges, sharedByExchanges } from './exchange-keeper.ts'
import { ProcessKeeper } from './process-keeper.ts'
import { ReadPacker } from './read-packer.ts'

/** Logs what is written and what redaction removed: kinds, never values. */
const debug = debugLog('record')

/**
 * Makes the rows of one run from the entries that the run hands over: bodies are decoded and parsed, and everything is redacted before it is written.
 * The same entries make the same rows on any thread.
 */
export class RowKeeper {
  readonly #redactor: Redactor
  readonly #writer: StoredRun
  readonly #secrets: RunSecrets | undefined
  readonly #variables: () => Variables
  readonly #knowsEnvironment: boolean
  /** The environment whose secrets the redactor knows. */
  #known: Variables | undefined
  readonly #queue: Places<Row>
  readonly #reads: ReadPacker
  readonly #ofExchanges: SharedByExchanges
  /** The secrets taken out of the inputs of steps under way. */
  readonly #taken = new Map<number, TakenSecrets>()
  /** Redis steps under way: their replies name the fields that are secret. */
  readonly #named = new Set<number>()
  readonly #exchanges = new Map<number, ExchangeKeeper>()
  readonly #processes = new Map<number, ProcessKeeper>()
  /** Stand-ins that have not been listed yet. */
  readonly #standIns: StandInRow[] = []
  #at = 0
  #failure: { readonly error: unknown } | undefined

  /**
   * @param open Opens the run that the rows are written to, given the header without its input. May throw.
   * @param variables Returns the environment of the agents.
   * @param secrets Takes the secrets that redaction removes. Default: none.
   */
  constructor(header: RunRow, ruleSet: RuleSet, open: (header: RunRow) => StoredRun, variables: () => Variables, secrets?: RunSecrets) {
    this.#variables = variables
    this.#knowsEnvironment = ruleSet.knowsEnvironment
    const failed = new Set<string>()
    const notes: NoteRow[] = []
    let note = (row: NoteRow): unknown => notes.push(row)
    const onFailure = (rule: string): void => {
      if (failed.has(rule)) return
      failed.add(rule)
      note({ kind: 'note', what: 'redaction-failed', where: rule, at: this.#at })
    }
    const takesOut = (standIn: string, secret: string, shape: Shape, isRevealable: boolean): void => {
      debug?.(() => `run ${header.id}: redacted one ${shape}`)
      secrets?.take(standIn, secret, isRevealable)
    }
    const onStandIn = debug === undefined && secrets === undefined ? undefined : takesOut
    const standIns = new ListedStandIns(
      [],
      (secret) => variables().namesOf(secret),
      (row) => this.#standIns.push(row),
    )
    const redactor = createRedactor({ ruleSet, standIns, onFailure, ...(onStandIn && { onStandIn }) })
    this.#redactor = redactor
    this.#lookAround()
    this.#secrets = secrets
    this.#ofExchanges = sharedByExchanges(redactor, variables)
    this.#reads = new ReadPacker(Date.parse(header.startedAt))
    this.#writer = open({ ...redactHeader(header, redactor), input: undefined })
    this.#queue = new Places((row) => {
      debug?.(() => `run ${header.id}: wrote ${describeRow(row)}`)
      if (row.kind !== 'run') this.#listStandIns()
      this.#writer.write(row)
      if (row.kind === 'run') this.#listStandIns()
    })
    note = (row) => this.#queue.push(row)
    this.#attempt(() => {
      // The header takes the first place, whatever notes it causes.
      const fill = this.#queue.reserve()
      // The input is redacted before the rest of the header: it may reveal secrets.
      const input = this.#reveal(header.input)
      fill({ ...redactHeader(header, redactor), input })
      for (const row of notes) this.#queue.push(row)
    })
  }

  /** Throws the first failure, from now or before. */
  take(entry: RawEntry, body: EntryBody): void {
    this.#attempt(() => this.#take(entry, body))
    if (this.#failure !== undefined) throw this.#failure.error
  }

  #take(entry: RawEntry, body: EntryBody): void {
    const timed = 'row' in entry ? entry.row : entry
    if ('at' in timed) this.#at = timed.at
    this.#lookAround()
    switch (entry.kind) {
      case 'row':
        return this.#queue.push(this.#keepRow(entry.row))
      case 'reads': {
        const row = this.#reads.toRow(entry)
        const { bytes, uuid, facts } = row
        const drawn = bytes && { bytes: bytes.map((draw) => this.#redactor.draw(draw)) }
        const told = facts && { facts: facts.map(({ name, value }) => ({ name, value: this.#reveal(value) })) }
        return this.#queue.push({ ...row, ...drawn, ...(uuid && { uuid: this.#redactor.value(uuid) }), ...told })
      }
      case 'request': {
        const exchange = new ExchangeKeeper(entry, this.#queue, this.#redactor, this.#ofExchanges)
        this.#exchanges.set(entry.step, exchange)
        if (entry.sent !== undefined) exchange.sent(entry.sent, body)
        return
      }
      case 'sent':
        return this.#exchanges.get(entry.step)?.sent(entry, body)
      case 'head':
        return this.#exchanges.get(entry.step)?.head(entry)
      case 'piece':
        return this.#exchanges.get(entry.step)?.piece(entry, body)
      case 'output':
        return this.#processOf(entry.step).output(entry, body)
      case 'settled': {
        const { row } = entry
        const kept = row.kind === 'throw' ? { ...row, error: this.#keepError(row.error) } : row
        const exchange = this.#exchanges.get(row.step)
        if (exchange !== undefined) exchange.settle(kept)
        else this.#processOf(row.step).settle(this.#revealOutput(kept))
        this.#exchanges.delete(row.step)
        this.#processes.delete(row.step)
        return
      }
    }
  }

  /** What the environment calls a credential is secret wherever it occurs. */
  #lookAround(): void {
    const variables = this.#variables()
    if (variables === this.#known) return
    this.#known = variables
    if (!this.#knowsEnvironment) return
    for (const secret of environmentSecrets(variables)) this.#redactor.know(secret)
  }

  /** Lists the stand-ins of a row before the row: those of a recording that is cut off are known as well. */
  #listStandIns(): void {
    if (this.#standIns.length === 0) return
    for (const row of this.#standIns.splice(0)) this.#writer.write(row)
  }

  #revealOutput<Settled extends ReturnRow | ThrowRow>(row: Settled): Settled {
    return 'output' in row ? { ...row, output: this.#reveal(row.output) } : row
  }

  #processOf(step: number): ProcessKeeper {
    return knownOrMade(this.#processes, step, () => new ProcessKeeper(this.#queue, this.#redactor))
  }

  flush(): void {
    this.#attempt(() => this.#writer.flush())
    if (this.#failure !== undefined) throw this.#failure.error
  }

  /** Writes the pieces that still wait, and returns the summary as far as it is known. */
  end(): RunSummary | undefined {
    this.#attempt(() => {
      for (const exchange of this.#exchanges.values()) exchange.end()
      for (const child of this.#processes.values()) child.end()
      this.#queue.close()
      this.#writer.flush()
    })
    return this.#writer.summary
  }

  /**
   * Writes the pieces that still wait, and closes the writer. Throws the first failure, from now or before. Returns whether the run is kept.
   * @param keeps Decides whether the run is kept; see `StoredRun`.
   */
  close(keeps?: (summary: RunSummary) => boolean): boolean {
    let isKept = true
    this.end()
    try {
      isKept = this.#writer.close(keeps)
      if (isKept) this.#secrets?.write()
    } catch (error) {
      this.#failure ??= { error }
    }
    if (this.#failure !== undefined) throw this.#failure.error
    return isKept
  }

  /** Whether the closed recording is stored: see `StoredRun`. */
  get stored(): true | Promise<void> | undefined {
    return this.#writer.stored
  }

  /** Does nothing after the first failure: a recording has no gaps. */
  #attempt(keep: () => void): void {
    if (this.#failure !== undefined) return
    try {
      keep()
    } catch (error) {
      this.#failure = { error }
    }
  }

  #keepRow(row: RawRow): Row {
    switch (row.kind) {
      case 'call': {
        const { idempotencyKey } = row
        if (/^(?:io)?redis /.test(row.name)) this.#named.add(row.step)
        const key = idempotencyKey === undefined ? {} : { idempotencyKey: this.#redactor.text(idempotencyKey) }
        const { credentials: sent = [] } = row
        const kept = sent.length === 0 ? {} : { credentials: sent.map((credential) => this.#keepCredential(credential)) }
        return { ...row, ...key, ...kept, name: this.#redactor.text(row.name), input: this.#takeFrom(row) }
      }
      case 'return':
        this.#learn(row.step, 'output' in row ? row.output : undefined, false)
        return 'output' in row ? { ...row, output: this.#keepOutput(row.output, this.#named.delete(row.step)) } : row
      case 'throw':
        this.#named.delete(row.step)
        this.#learn(row.step, row.error, true)
        return { ...row, error: this.#keepError(row.error) }
      case 'note':
        return { ...row, where: this.#redactor.text(row.where) }
      case 'signal':
      case 'preamble':
        return { ...row, value: this.#reveal(row.value) }
      case 'checkpoint':
        return { ...row, name: this.#redactor.text(row.name), state: this.#reveal(row.state) }
      case 'end':
        if (row.error !== undefined) return { ...row, error: this.#keepError(row.error) }
        return { ...row, output: this.#reveal(row.output) }
      default:
        return row
    }
  }

  #keepCredential({ value, ...credential }: Credential): Credential {
    if (value === undefined) return credential
    const variables = this.#variables().namesOf(value)
    return { ...credential, value: this.#redactor.credential(value), ...(variables.length === 0 ? {} : { variables }) }
  }

  #keepError(error: RecordedError): RecordedError {
    return mapError(error, (value) => this.#reveal(value), this.#redactor.text)
  }

  #takeFrom({ step, input }: { readonly step: number; readonly input: unknown }): unknown {
    const { value, taken } = this.#redactor.takeFrom(input)
    if (taken.size > 0) this.#taken.set(step, taken)
    return fromRecorded(value as Json)
  }

  /** Redacts a reply: the agent may pass on a database reply that the replay knows only as a stand-in. @param isNamed Whether the reply is from Redis. */
  #keepOutput(output: unknown, isNamed: boolean): unknown {
    if (!isNamed && !hasColumns(output)) return this.#reveal(output)
    const { value, taken } = this.#redactor.takeFrom(output)
    for (const secret of taken.keys()) if (isNamed || isDrawnSecret(secret)) this.#redactor.know(secret)
    return fromRecorded(value as Json)
  }

  /** Secrets taken out of a step's input stay secret from now on when they come back: the agent may pass them on. */
  #learn(step: number, came: unknown, hasFailed: boolean): void {
    const taken = this.#taken.get(step)
    if (taken === undefined) return
    this.#taken.delete(step)
    for (const secret of repeatedSecrets(taken, came, hasFailed)) this.#redactor.know(secret)
  }

  /** Returns a value in recorded form as the trace keeps it: redacted. */
  #reveal(recorded: unknown): unknown {
    return fromRecorded(this.#redactor.value(recorded) as Json)
  }
}

/** Describes the kind of a row, without its content. */
function describeRow(row: Row): string {
  if (row.kind === 'call') return `call of step ${row.step} (${row.boundary} ${row.name})`
  return 'step' in row ? `${row.kind} of step ${row.step}` : row.kind
}
