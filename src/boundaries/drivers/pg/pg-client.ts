import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FieldDef } from 'pg'
import type { PgField } from './pg-messages.ts'

/** The parts used of a pg client. Source: pg 8, lib/client.js. */
export interface PgClient extends EventEmitter {
  readonly host?: string
  readonly port?: number
  readonly connection: PgConnection
  readonly connectionParameters?: PgLimits
  /** Before pg 8.17: `queryQueue`. */
  readonly _queryQueue?: PgQuery[]
  readonly queryQueue?: PgQuery[]
  /** Since pg 8.18: the transaction status that PostgreSQL last reported. */
  _txStatus?: TransactionStatus | null
  /** False once its connection is lost. */
  _queryable?: boolean
  /** The agent is closing it. */
  readonly _ending?: boolean
  query(...args: unknown[]): unknown
  _pulseQueryQueue(): void
}

/** The queries that a client has not sent yet. Where the new name exists, the old one warns. */
export function queueOf(client: PgClient): PgQuery[] {
  return client._queryQueue ?? client.queryQueue ?? []
}

/** Source: pg 8, lib/connection-parameters.js. */
export interface PgLimits {
  readonly query_timeout?: unknown
  readonly statement_timeout?: unknown
  /** The server's options, as on its command line. */
  readonly options?: unknown
}

/** Outside of a transaction, in one, or in a failed one. Source: PostgreSQL, Message Formats, ReadyForQuery. */
export type TransactionStatus = 'I' | 'T' | 'E'

/** Source: pg 8, lib/connection.js. */
export interface PgConnection extends EventEmitter {
  readonly constructor: new (config: { readonly stream: Duplex }) => PgConnection
  readonly stream?: Socket | null
  parsedStatements: Record<string, string>
  attachListeners(stream: Duplex): void
}

/** A query, a cursor, or a stream of rows, as passed to `client.query`. Source: pg 8, lib/query.js; pg-cursor; pg-query-stream. */
export interface PgQuery extends Partial<Record<MessageHandler, (...args: unknown[]) => unknown>> {
  readonly text?: string
  readonly name?: string
  readonly values?: readonly unknown[]
  /** In milliseconds, like those of clients. */
  readonly query_timeout?: unknown
  submit(connection: PgConnection): Error | null | undefined
  handleError(error: unknown, connection: PgConnection): unknown
  /** Only of a cursor: reads some rows. */
  read?: (rows: number, callback?: (...args: unknown[]) => void) => unknown
  /** Only of a cursor: `done` and `error` are its end. */
  readonly state?: string
  /** Only of a stream of rows, whose own `read` is the method of a Node stream. */
  readonly cursor?: PgQuery
}

/** The object that reads rows from the server in batches: a cursor, or a row stream's cursor. Undefined for other queries. */
export function readerOf(query: PgQuery): PgReader | undefined {
  const reader = query.cursor ?? query
  return reader.read === undefined ? undefined : (reader as PgReader)
}

type PgReader = PgQuery & Required<Pick<PgQuery, 'read'>>

/** Whether a cursor has been read to its end: it asks the server for nothing more. */
export function isAtEnd({ state }: PgReader): boolean {
  return state === 'done' || state === 'error'
}

/** The methods by which a query receives messages. */
export type MessageHandler =
  | 'handleRowDescription'
  | 'handleDataRow'
  | 'handlePortalSuspended'
  | 'handleEmptyQuery'
  | 'handleCommandComplete'
  | 'handleReadyForQuery'

/** A column as a step keeps it, without the fields that a computed column lacks. */
export function toField({ name, tableID, columnID, dataTypeID, dataTypeSize, dataTypeModifier, format }: FieldDef): PgField {
  return {
    name,
    type: dataTypeID,
    ...(tableID === 0 ? {} : { table: tableID, column: columnID }),
    ...(dataTypeSize === -1 ? {} : { size: dataTypeSize }),
    ...(dataTypeModifier === -1 ? {} : { modifier: dataTypeModifier }),
    ...(format === 'binary' ? { binary: true } : {}),
  }
}
