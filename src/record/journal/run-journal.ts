import { appendFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { createEncoder } from '../../trace/codec/encoder.ts'
import { makeDirectory } from '../../stores/make-directory.ts'
import type { CallRow } from '../../trace/rows.ts'
import type { RunRow } from '../../trace/run-row.ts'
import { createRedactor } from '../../redaction/redactor.ts'
import type { Redactor } from '../../redaction/redactor-types.ts'
import type { RuleSet } from '../../redaction/rule-set.ts'

/**
 * The journal of one run, a file beside its log: the side effects that start, each appended from the agent's thread before it happens, whatever still
 * waits to be written to the log. Its lines are those of a trace, the header first, so that a run whose log was never begun can be read as well. The
 * writer of the log removes it when the log is written to its end.
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
   * Appends a call, without what it is called with. Whether it is with the operating system.
   *
   * @note The file is opened each time: a run that is watched for what it left behind would hold it open for a minute.
   */
  append(call: CallRow): boolean {
    try {
      const line = lineOf({ ...call, name: this.#redact(call.name) })
      if (this.#isBegun) appendFileSync(this.#file, line)
      else this.#begin(line)
      return true
    } catch {
      // The log is waited for instead, and the run has a note where that takes too long.
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

  /** What tells which run it is. What the program said of it may be secret by what stands in its input, which is redacted elsewhere. */
  #bareHeader(): RunRow {
    const { kind, format, id, traceId, agent, startedAt, runtime, contracts, fidelity, redaction } = this.#header
    const bare = { ...runtime, env: {} }
    return {
      kind,
      format,
      id,
      traceId,
      agent: this.#redact(agent),
      input: undefined,
      startedAt,
      runtime: bare,
      contracts,
      fidelity,
      redaction,
    }
  }
}

/** Where the one before was torn, it ends here. */
function lineOf(row: CallRow | RunRow): string {
  return `\n${createEncoder().encode(row).join('\n')}`
}
