import { appendFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { createEncoder } from '../../trace/codec/encoder.ts'
import { unwritten } from '../../trace/unkept-value.ts'
import { makeDirectory } from '../../stores/make-directory.ts'
import type { CallRow } from '../../trace/rows.ts'
import type { RunRow } from '../../trace/run-row.ts'
import { createRedactor } from '../../redaction/redactor.ts'
import type { Redactor } from '../../redaction/redactor-types.ts'
import type { RuleSet } from '../../redaction/rule-set.ts'

/**
 * The journal of one run, a file next to its log. The agent's thread appends each side effect before it happens, regardless of what still waits to be
 * written to the log. Its lines are those of a trace, starting with the header, so that a run whose log was never begun can be read as well. The
 * writer of the log removes the journal once the log is complete.
 */
export class RunJournal {
  readonly #file: string
  readonly #header: RunRow
  readonly #ruleSet: RuleSet
  #redactor: Redactor | undefined
  #isBegun = false

  constructor(file: string, header: RunRow, ruleSet: RuleSet) {
    this.#file = file
    this.#header = header
    this.#ruleSet = ruleSet
  }

  /**
   * Appends a call without its arguments. Returns whether it has reached the operating system.
   *
   * @note The file is opened for each call: a run that is watched for work that it left behind would otherwise hold it open for a minute.
   */
  append(call: CallRow): boolean {
    try {
      const line = lineOf({ ...call, name: this.#redact(call.name) })
      if (this.#isBegun) appendFileSync(this.#file, line)
      else this.#begin(line)
      return true
    } catch {
      // The caller waits for the log instead, and adds a note to the run if that takes too long.
      return false
    }
  }

  #begin(line: string): void {
    makeDirectory(path.dirname(this.#file))
    try {
      appendFileSync(this.#file, `${lineOf(this.#bareHeader())}${line}`)
    } catch (error) {
      rmSync(this.#file, { force: true })
      throw error
    }
    this.#isBegun = true
  }

  #redact(text: string): string {
    this.#redactor ??= createRedactor({ ruleSet: this.#ruleSet })
    return this.#redactor.text(text)
  }

  /** Returns the fields that identify the run. The program's own fields may be secret because of the input, which is redacted elsewhere and written to the log. */
  #bareHeader(): RunRow {
    const { kind, format, id, traceId, agent, startedAt, runtime, contracts, fidelity, redaction } = this.#header
    const bare = { ...runtime, env: {} }
    return {
      kind,
      format,
      id,
      traceId,
      agent: this.#redact(agent),
      input: unwritten,
      startedAt,
      runtime: bare,
      contracts,
      fidelity,
      redaction,
    }
  }
}

/** Starts with a line break, which ends a torn line before it. */
function lineOf(row: CallRow | RunRow): string {
  return `\n${createEncoder().encode(row).join('\n')}`
}
