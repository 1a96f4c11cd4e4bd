import { types } from 'node:util'
import { realTimers } from '../../../node/real-timers.ts'
import { runBelow, runOutside, type Scope } from '../../../run/scope.ts'
import { callAtOnce } from '../driver-call.ts'
import { type Execution, type SqliteCall, toCall } from './execution.ts'
import { columnsOf, keepResult, recordCall, recordFailure } from './record-call.ts'
import { keepRows } from './results.ts'
import { defineOwn } from '../../patches.ts'

interface Rows {
  next(): IteratorResult<unknown>
  return?(value?: unknown): IteratorResult<unknown>
}

/** Makes executed SQL a step of a recorded run. @param go Executes it. */
export function recordExecution(scope: Scope, execution: Execution, go: () => unknown): unknown {
  const call = toCall(scope, execution)
  if (execution.method === 'iterate') return recordIteration(scope, execution, call, go)
  return recordCall(scope, call, go, (given) => keepResult(execution, given))
}

/**
 * Records rows that are read one by one: all rows read without waiting are one step, so a loop without `await` is one step, and a loop with
 * `await` makes a step for each row.
 *
 * @param go Makes the driver's iterator, which the agent keeps.
 */
function recordIteration(scope: Scope, { executor }: Execution, call: SqliteCall, go: () => unknown): unknown {
  const columns = columnsOf(executor)
  const follow = (rows: unknown): unknown => followRows(scope, call, columns, rows as Rows)
  let rows: unknown
  try {
    rows = runBelow(scope, {}, go)
  } catch (error) {
    return recordFailure(scope, call, error)
  }
  return types.isPromise(rows) ? rows.then(follow, (error: unknown) => recordFailure(scope, call, error)) : follow(rows)
}

function followRows(scope: Scope, call: SqliteCall, columns: readonly unknown[] | undefined, rows: Rows): Rows {
  const { next, return: leave } = rows
  const read = new RowsRead(scope, call, columns)
  defineOwn(rows, 'next', () => read.row(() => runBelow(scope, {}, () => Reflect.apply(next, rows, []))))
  if (leave === undefined) defineOwn(rows, 'return', (value?: unknown) => (read.leaves(), { done: true, value }))
  else {
    defineOwn(rows, 'return', (...args: [unknown?]) => {
      read.leaves()
      return runBelow(scope, {}, () => Reflect.apply(leave, rows, args))
    })
  }
  return rows
}

/** The rows that an agent has read since the last step. */
class RowsRead {
  readonly #scope: Scope
  readonly #call: SqliteCall
  readonly #columns: readonly unknown[] | undefined
  #rows: unknown[] = []
  #after = 0
  #isScheduled = false
  #isOver = false

  constructor(scope: Scope, call: SqliteCall, columns: readonly unknown[] | undefined) {
    this.#scope = scope
    this.#call = call
    this.#columns = columns
  }

  row(read: () => IteratorResult<unknown>): IteratorResult<unknown> {
    if (this.#isOver) return read()
    let result: IteratorResult<unknown>
    try {
      result = read()
    } catch (error) {
      this.#isOver = true
      this.#write(true)
      this.#step({ ...this.#call.input, after: this.#after }, () => {
        throw error
      })
      throw error
    }
    if (result.done === true) {
      this.#isOver = true
      this.#write(false)
      return result
    }
    this.#rows.push(result.value)
    if (!this.#isScheduled) {
      this.#isScheduled = true
      // The agent may never read another row.
      runOutside(() =>
        realTimers.queueMicrotask(() => {
          this.#isScheduled = false
          if (!this.#isOver) this.#write(true)
        }),
      )
    }
    return result
  }

  leaves(): void {
    if (!this.#isOver) this.#write(true)
    this.#isOver = true
  }

  /** @param isMore Whether there may be more rows. */
  #write(isMore: boolean): void {
    const rows = this.#rows
    if (isMore && rows.length === 0) return
    const after = this.#after === 0 ? {} : { after: this.#after }
    this.#step({ ...this.#call.input, ...after, ...(isMore && { rows: rows.length }) }, () => keepRows(rows, this.#columns))
    this.#after += rows.length
    this.#rows = []
  }

  #step(input: SqliteCall['input'], give: () => unknown): void {
    try {
      callAtOnce(this.#scope, { ...this.#call, input }, give)
    } catch {
      // The caller throws it to the agent.
    }
  }
}
