import { BodyDigests, cutDigests } from '../../http/digests.ts'
import { headerValue } from '../../http/headers.ts'
import { ProcessKeeper } from '../../record/keep/process-keeper.ts'
import { redactPiece } from '../../record/keep/redacted-piece.ts'
import type { BodyRedaction } from '../../redaction/growing-redaction.ts'
import { Places } from '../../redaction/places.ts'
import { redactHeader } from '../../redaction/redact-header.ts'
import { redactionOf } from '../../redaction/redaction-of.ts'
import type { Redactor } from '../../redaction/redactor-types.ts'
import { repeatedSecrets, type TakenSecrets } from '../../redaction/repeated-secrets.ts'
import { bytesOfBody } from '../../trace/body.ts'
import { withReceivedDigests } from '../../trace/http-head.ts'
import { type Json, omitUndefined } from '../../trace/json.ts'
import { mapError } from '../../trace/recorded-error.ts'
import type { ChunkRow, HeadRow, HttpOutput, ReturnRow, Row, ThrowRow } from '../../trace/rows.ts'
import type { Golden, RunRow } from '../../trace/run-row.ts'
import { fromRecorded, toRecorded } from '../../trace/values.ts'

/**
 * Redacts the rows of a trace again, in their order, as a recorder would redact them: a secret may be divided among the pieces of a body.
 *
 * @param redactor Its stand-ins continue those of the trace.
 */
export function scrubRows([header, ...rows]: readonly Row[], redactor: Redactor): Row[] {
  if (header?.kind !== 'run') return []
  const scrubbed: Row[] = []
  const scrubber = new RowScrubber(redactor, new Places((row) => void scrubbed.push(row)))
  scrubbed.push(scrubber.header(header))
  for (const row of rows) scrubber.add(row)
  scrubber.end()
  return scrubbed
}

/** An answer whose body arrives. */
interface ArrivingBody {
  readonly redaction: BodyRedaction
  readonly digests: BodyDigests
  readonly marks: NonNullable<HeadRow['digests']>
}

class RowScrubber {
  readonly #redactor: Redactor
  readonly #queue: Places<Row>
  /** By step. */
  readonly #bodies = new Map<number, ArrivingBody>()
  readonly #outputs = new Map<number, ProcessKeeper>()
  readonly #taken = new Map<number, TakenSecrets>()

  constructor(redactor: Redactor, queue: Places<Row>) {
    this.#redactor = redactor
    this.#queue = queue
  }

  header(header: RunRow): RunRow {
    // The input comes first: it may reveal secrets.
    const input = this.#value(header.input)
    const { golden, forkedFrom, resumedFrom } = header
    const recorded = {
      ...header,
      ...(header.ambient && { ambient: { ...header.ambient, answers: header.ambient.answers.map(inRecordedForm) } }),
    }
    return {
      ...redactHeader(recorded, this.#redactor),
      input,
      ...(golden && { golden: this.#golden(golden) }),
      ...(forkedFrom?.edit && { forkedFrom: { ...forkedFrom, edit: this.#value(forkedFrom.edit) } }),
      ...(resumedFrom && { resumedFrom: { ...resumedFrom, state: this.#value(resumedFrom.state) } }),
    }
  }

  /** Redacts what a person wrote. Its name is that of its file. */
  #golden({ description, expectedOutcome, expect, ...golden }: Golden): Golden {
    const told = omitUndefined({ description, expectedOutcome })
    return { ...golden, ...this.#value(told), expect: this.#value(expect) }
  }

  add(row: Row): void {
    if (row.kind === 'chunk') return this.#piece(row)
    if (row.kind === 'return' || row.kind === 'throw') return this.#settle(row)
    this.#queue.push(this.#scrub(row))
  }

  end(): void {
    for (const step of [...this.#bodies.keys(), ...this.#outputs.keys()]) this.#close(step)
    this.#queue.close()
  }

  #scrub(row: Exclude<Row, ChunkRow | ReturnRow | ThrowRow>): Row {
    const redactor = this.#redactor
    switch (row.kind) {
      case 'call': {
        const { value, taken } = redactor.takeFrom(toRecorded(row.input))
        if (taken.size > 0) this.#taken.set(row.step, taken)
        return {
          ...row,
          name: redactor.text(row.name),
          input: fromRecorded(value as Json),
          ...(row.idempotencyKey !== undefined && { idempotencyKey: redactor.text(row.idempotencyKey) }),
          ...('agentInput' in row && { agentInput: this.#value(row.agentInput) }),
          ...(row.client !== undefined && { client: redactor.text(row.client) }),
        }
      }
      case 'head':
        this.#begin(row)
        return { ...row, headers: this.#value(row.headers), ...(row.url !== undefined && { url: redactor.text(row.url) }) }
      case 'reads':
        return { ...row, ...(row.uuid && { uuid: this.#value(row.uuid) }), ...(row.facts && { facts: this.#value(row.facts) }) }
      case 'signal':
      case 'preamble':
        return { ...row, value: this.#value(row.value) }
      case 'checkpoint':
        return { ...row, name: redactor.text(row.name), state: this.#value(row.state) }
      case 'note':
        return { ...row, where: redactor.text(row.where) }
      case 'end':
        if (row.error !== undefined) return { ...row, error: this.#error(row.error) }
        return 'output' in row ? { ...row, output: this.#value(row.output) } : row
      default:
        return row
    }
  }

  #begin({ step, status, headers, digests = [] }: HeadRow): void {
    // The head of the answer is still to come.
    if (status < 200 && status !== 101) return
    this.#close(step)
    this.#bodies.set(step, {
      redaction: redactionOf(this.#redactor, headerValue(headers, 'content-type')),
      digests: new BodyDigests(digests.map(([, , algorithm]) => algorithm)),
      marks: digests,
    })
  }

  #piece(row: ChunkRow): void {
    const { text, bytes = text === undefined ? undefined : Buffer.from(text), length: _, encoded: __, ...rest } = row
    const body = this.#bodies.get(row.step)
    // Undecoded bytes are read by nobody.
    if (bytes === undefined || row.encoded !== undefined) return this.#queue.push(row)
    if (body === undefined || row.stream !== undefined) {
      const known = this.#outputs.get(row.step) ?? new ProcessKeeper(this.#queue, this.#redactor)
      this.#outputs.set(row.step, known)
      return known.output({ ...rest, kind: 'output' }, bytes)
    }
    body.digests.update(bytes)
    const fill = this.#queue.reserve()
    redactPiece(body.redaction, bytes, (redacted, isChanged) => fill(isChanged ? { ...rest, ...redacted } : row))
  }

  #settle(row: ReturnRow | ThrowRow): void {
    const body = this.#bodies.get(row.step)
    const taken = this.#taken.get(row.step)
    this.#taken.delete(row.step)
    this.#close(row.step)
    if (taken !== undefined) {
      const came = row.kind === 'throw' ? row.error : toRecorded(row.output)
      for (const secret of repeatedSecrets(taken, came, row.kind === 'throw')) this.#redactor.know(secret)
    }
    if (row.kind === 'throw') return this.#queue.push({ ...row, error: this.#error(row.error) })
    const output = this.#value(row.output)
    this.#queue.push(
      'output' in row
        ? { ...row, output: body === undefined ? withoutDigests(row.output, output) : withReceived(output as HttpOutput | undefined, body) }
        : row,
    )
  }

  #close(step: number): void {
    this.#bodies.get(step)?.redaction.end()
    this.#outputs.get(step)?.end()
    this.#bodies.delete(step)
    this.#outputs.delete(step)
  }

  #error(error: ThrowRow['error']): ThrowRow['error'] {
    return mapError(error, (value) => this.#value(value), this.#redactor.text)
  }

  #value<Value>(value: Value): Value {
    return value === undefined ? value : (fromRecorded(this.#redactor.value(toRecorded(value))) as Value)
  }
}

/** Leaves digests of a body that has changed to the replay. */
function withReceived(output: HttpOutput | undefined, { redaction, digests, marks }: ArrivingBody): HttpOutput | undefined {
  if (output?.received === undefined || !redaction.hasChanged) return output
  const received = output.received.map((digest, index) => {
    const [, , algorithm = 'md5', form = 'hex'] = marks[index] ?? []
    return digest !== null && digests.print(algorithm, form) === digest ? null : digest
  })
  return { ...output, received }
}

/** The same in an answer that a golden holds in one row: headers that are digests of what was removed are computed anew in a replay. */
function withoutDigests(before: unknown, after: unknown): unknown {
  const [was, is] = [before, after] as readonly (HttpOutput | undefined)[]
  if (
    typeof was !== 'object' ||
    was === null ||
    !Array.isArray(was.headers) ||
    was.digests !== undefined ||
    is?.headers === undefined ||
    is.status === undefined
  )
    return after
  const body = bytesOfBody(was)
  const { headers, marks, digests } = cutDigests(is.headers)
  if (marks.length === 0 || Buffer.from(body).equals(bytesOfBody(is))) return after
  const computed = new BodyDigests(marks.map(([, , algorithm]) => algorithm))
  computed.update(body)
  const received = digests.map((digest, index) => {
    const [, , algorithm = 'md5', form = 'hex'] = marks[index] ?? []
    return computed.print(algorithm, form) === digest ? null : digest
  })
  return withReceivedDigests({ ...is, status: is.status, headers, digests: marks }, { received })
}

function inRecordedForm<Answer extends { readonly input: unknown; readonly output: unknown }>(answer: Answer): Answer {
  return { ...answer, input: toRecorded(answer.input), output: toRecorded(answer.output) }
}
