import { knownOrMade } from '../../../trace/remember.ts'
import { realTimers } from '../../../node/real-timers.ts'
import { type AnsweredScope, runOutside } from '../../../run/scope.ts'
import { askTrace, refuseExecution } from './ask-trace.ts'
import { type Execution, type SqliteCall, type SqliteInput, toCall } from './execution.ts'
import { askSandbox } from './sandbox.ts'
import { reviveRows } from './results.ts'
import { formOf } from './statement-modes.ts'
import { defineOwn } from '../../patches.ts'

/** Returns an iterator over the recorded rows, of the driver's class. As in the recording, rows read without waiting are one step. */
export function answerIteration(scope: AnsweredScope, execution: Execution): object {
  const { dialect } = execution
  const call = toCall(scope, execution)
  const first = findStep(scope, call, undefined)
  if (first?.hasFailed === true) askTrace(scope, execution, call)
  const rows = new RecordedRows(scope, execution, call)
  const iterator = Object.create(dialect.iteratorPrototype()) as object
  const result = (value: { readonly row: unknown } | undefined): object =>
    value === undefined ? dialect.done() : Object.assign(Object.create(dialect.rowPrototype()) as object, { value: value.row, done: false })
  defineOwn(iterator, 'next', () => result(rows.next()))
  defineOwn(iterator, 'return', () => {
    rows.leaves()
    return dialect.done()
  })
  defineOwn(iterator, Symbol.iterator, () => iterator)
  return iterator
}

/** The rows of one step, which is made once the agent has read them. */
interface Chunk {
  readonly step: number
  readonly rows: readonly unknown[]
  /** The recorded run read only these rows. */
  readonly isMore: boolean
}

const reservations = new WeakMap<object, Set<number>>()

class RecordedRows {
  readonly #scope: AnsweredScope
  readonly #execution: Execution
  readonly #call: SqliteCall
  readonly #reserved: Set<number>
  #chunk: Chunk | undefined
  /** The number of rows read from the chunk. */
  #read = 0
  /** The number of rows read before the chunk. */
  #after = 0
  #isScheduled = false
  #isOver = false

  constructor(scope: AnsweredScope, execution: Execution, call: SqliteCall) {
    this.#scope = scope
    this.#execution = execution
    this.#call = call
    this.#reserved = knownOrMade(reservations, scope.run, () => new Set())
  }

  next(): { readonly row: unknown } | undefined {
    if (this.#isOver) return undefined
    for (;;) {
      this.#chunk ??= this.#nextChunk()
      const { rows, isMore } = this.#chunk
      if (this.#read < rows.length) {
        this.#read += 1
        this.#schedule()
        return { row: rows[this.#read - 1] }
      }
      if (!isMore) {
        this.#isOver = true
        this.#make()
        return undefined
      }
      this.#make()
    }
  }

  leaves(): void {
    if (!this.#isOver && this.#read > 0) this.#make()
    this.#isOver = true
  }

  #nextChunk(): Chunk {
    const after = this.#after === 0 ? undefined : this.#after
    const found = findStep(this.#scope, this.#call, after, this.#reserved) ?? findStep(this.#scope, this.#call, this.#after, this.#reserved)
    if (found === undefined || found.hasFailed) {
      // A recorded error is thrown. The verdict reports any other. A fork may get the rows from its sandbox.
      this.#isOver = true
      const input = { ...this.#call.input, ...((found !== undefined || after !== undefined) && { after: this.#after }) }
      const output = askTrace(this.#scope, this.#execution, { ...this.#call, input }, () => askSandbox(this.#scope, this.#execution, input))
      this.#isOver = false
      return { step: 0, rows: this.#revive(output), isMore: false }
    }
    this.#reserved.add(found.step)
    const { rows } = found.input as SqliteInput
    return { step: found.step, rows: this.#revive(found.output), isMore: rows !== undefined }
  }

  #revive(output: unknown): readonly unknown[] {
    const { dialect, executor } = this.#execution
    const rows = reviveRows(dialect, output ?? {}, formOf(dialect, executor, 'iterate'))
    if (rows === undefined) throw refuseExecution(this.#scope, this.#execution)
    return rows
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    runOutside(() =>
      realTimers.queueMicrotask(() => {
        this.#isScheduled = false
        if (this.#isOver || this.#read === 0) return
        try {
          this.#make()
        } catch {
          this.#isOver = true
        }
      }),
    )
  }

  /** Makes the step of the rows that were read. */
  #make(): void {
    const { step = 0, rows = [], isMore = true } = this.#chunk ?? {}
    const isWhole = this.#isOver && !isMore && this.#read === rows.length
    const after = this.#after === 0 ? {} : { after: this.#after }
    const input = { ...this.#call.input, ...after, ...(!isWhole && { rows: this.#read }) }
    this.#reserved.delete(step)
    this.#chunk = undefined
    this.#after += this.#read
    this.#read = 0
    if (step !== 0) askTrace(this.#scope, this.#execution, { ...this.#call, input })
  }
}

function findStep({ run }: AnsweredScope, { name, input }: SqliteCall, after: number | undefined, reserved?: ReadonlySet<number>) {
  const { sql, values, database, transaction } = input
  return run.recorded.find(name, { sql, values, database, transaction, after }, 'untaken', (step) => reserved?.has(step) === true)
}
