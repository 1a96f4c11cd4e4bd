import type { FieldDef } from 'pg'
import { runInScope, type Scope } from '../../../run/scope.ts'
import { Arrival } from '../../arrival.ts'
import { recordDriverCall } from '../driver-call.ts'
import { pgCall } from './pg-call.ts'
import { isAtEnd, type MessageHandler, type PgClient, type PgQuery, readerOf, toField } from './pg-client.ts'
import { type PgField, type PgResult, toKept } from './pg-messages.ts'

interface Following {
  /** Receives the answer. */
  readonly arrival: Arrival
  /** Whether the query is part of a step. */
  readonly isPart?: boolean
  /** Makes the client send the query. Default: as soon as it can. */
  readonly send?: () => unknown
}

/** Records a query, then sends it. Each read of a cursor is a step. */
export function followQuery(scope: Scope, client: PgClient, query: PgQuery, { arrival, isPart = false, send }: Following): void {
  const reader = readerOf(query)
  const followed = new FollowedQuery(scope, query)
  const go = (): void => void (send === undefined ? client._pulseQueryQueue() : send())
  if (isPart) {
    followed.asks(arrival)
    return go()
  }
  if (reader === undefined) return recordDriverCall(scope, pgCall(scope, client, query), followed.asks(arrival), go)
  const { read } = reader
  reader.read = (rows, callback) => {
    const ask = (): unknown => Reflect.apply(read, reader, callback === undefined ? [rows] : [rows, bindTo(scope, callback)])
    if (followed.isOver || isAtEnd(reader)) return ask()
    return recordDriverCall(scope, pgCall(scope, client, query, rows), followed.asks(), ask)
  }
  go()
}

/** Records what a query receives, before the query receives it. */
class FollowedQuery {
  /** Nothing more will be read. */
  isOver = false
  readonly #scope: Scope
  readonly #asked: Arrival[] = []
  #results: PgResult[] = []
  #fields: readonly PgField[] | undefined
  /** The columns of the current rows. */
  #columns: readonly PgField[] = []
  #rows: PgResult['rows'] & unknown[] = []

  constructor(scope: Scope, query: PgQuery) {
    this.#scope = scope
    this.#before(query, 'handleRowDescription', (message) => {
      this.#columns = this.#fields = (message as { readonly fields: readonly FieldDef[] }).fields.map(toField)
    })
    this.#before(query, 'handleDataRow', (message) => {
      this.#rows.push(
        (message as { readonly fields: readonly (string | null)[] }).fields.map((value, at) => toKept(value, this.#columns[at])),
      )
    })
    this.#before(query, 'handlePortalSuspended', () => {
      // A query that reads a fixed number of rows at a time continues on its own.
      if (readerOf(query) !== undefined) this.#settle(this.#take({ suspended: true }))
    })
    this.#before(query, 'handleEmptyQuery', () => this.#results.push(this.#take({})))
    this.#before(query, 'handleCommandComplete', (message) =>
      this.#results.push(this.#take({ command: (message as { readonly text: string }).text })),
    )
    this.#before(query, 'handleReadyForQuery', () => this.#ends(() => this.#settle(this.#results)))
    this.#before(query, 'handleError', (error) => this.#ends(() => this.#asked.shift()?.fail(error)))
  }

  /** Notes that a statement is sent, or that rows of a cursor are requested. */
  asks(arrival: Arrival = new Arrival()): Arrival {
    this.#asked.push(arrival)
    return arrival
  }

  #before(query: PgQuery, name: MessageHandler | 'handleError', hear: (message: unknown) => void): void {
    const original = query[name]
    if (typeof original !== 'function') return
    query[name] = (...args: unknown[]) => {
      hear(args[0])
      // Whichever connection it arrives over, the agent is notified in its own scope.
      return runInScope(this.#scope, () => Reflect.apply(original, query, args))
    }
  }

  #take(end: PgResult): PgResult {
    const [fields, rows] = [this.#fields, this.#rows]
    const isRead = fields !== undefined || rows.length > 0
    this.#rows = []
    this.#fields = undefined
    const columns = fields === undefined && rows.length > 0 ? { columns: this.#columns.map(({ name }) => ({ name })) } : {}
    return { ...(fields === undefined ? columns : { fields }), ...(isRead ? { rows } : {}), ...end }
  }

  #settle(output: PgResult | readonly PgResult[]): void {
    this.#asked.shift()?.settle(Array.isArray(output) && output.length === 1 ? output[0] : output)
    this.#results = []
  }

  #ends(settle: () => void): void {
    if (!this.isOver) settle()
    this.isOver = true
  }
}

function bindTo(scope: Scope, callback: (...args: unknown[]) => void): (...args: unknown[]) => void {
  return (...args) => runInScope(scope, () => callback(...args))
}
