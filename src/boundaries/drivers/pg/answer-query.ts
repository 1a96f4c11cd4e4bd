import { Duplex } from 'node:stream'
import { runBelow, runInScope, type Scope } from '../../../run/scope.ts'
import { serverOf } from '../served-connections.ts'
import { answerDriverCall } from '../driver-call.ts'
import { isInTransactionAfter } from '../sql.ts'
import { pgCall, sqlOf } from './pg-call.ts'
import {
  isAtEnd,
  type MessageHandler,
  type PgClient,
  type PgConnection,
  type PgQuery,
  queueOf,
  readerOf,
  type TransactionStatus,
} from './pg-client.ts'
import type { PgResult } from './pg-messages.ts'
import { PgServer } from './pg-server.ts'

/** The recorded answer to a statement. */
export type Answer = Promise<PgResult | readonly PgResult[]>

/**
 * Answers a query from the trace. The query gets its own connection, of the driver's class and with a server in memory, so that the driver
 * itself reads the answer: types, errors, cursors.
 *
 * @param given The answer, if the query is part of a step.
 */
export function answerQuery(scope: Scope, client: PgClient, query: PgQuery, given?: Answer): void {
  const queue = queueOf(client)
  queue.splice(queue.indexOf(query), 1)
  const answers: Answer[] = given === undefined ? [] : [given]
  const ask = (rows?: number): void => {
    const answer = answerDriverCall(scope, pgCall(scope, client, query, rows)) as Answer
    answer.catch(() => undefined)
    answers.push(answer)
  }
  const reader = readerOf(query)
  let isOver = false
  if (reader === undefined) {
    if (given === undefined) ask()
  } else {
    const { read } = reader
    reader.read = (rows, callback) => {
      if (!isOver && !isAtEnd(reader)) ask(rows)
      const bound = callback && ((...args: unknown[]) => runInScope(scope, () => callback(...args)))
      return runBelow(scope, {}, (): unknown => Reflect.apply(read, reader, bound === undefined ? [rows] : [rows, bound]))
    }
  }
  const connection = connect(client, query, scope, answers, () => (isOver = true))
  const failure = runBelow(scope, {}, () => query.submit(connection))
  if (failure !== null && failure !== undefined) process.nextTick(() => query.handleError(failure, connection))
}

function connect(client: PgClient, query: PgQuery, scope: Scope, answers: Answer[], onOver: () => void): PgConnection {
  const stream = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, callback) {
      server.receive(chunk)
      callback()
    },
  })
  const tell = (name: MessageHandler | 'handleError', ...args: unknown[]): void => {
    const handler = query[name]
    if (typeof handler === 'function') runInScope(scope, () => Reflect.apply(handler, query, args))
  }
  const { constructor: Connection, parsedStatements } = client.connection
  const connection = new Connection({ stream })
  connection.parsedStatements = parsedStatements
  const fails = (error: unknown): void => {
    onOver()
    hasFailed = true
    tell('handleError', error, connection)
    if (endsConnection(error)) loseConnection(client)
  }
  const server = new PgServer(
    { send: (bytes) => void stream.push(bytes), end: () => void stream.push(null) },
    () => answers.shift() ?? Promise.reject(new Error('goldenrun has no recorded answer to this statement')),
    fails,
  )
  let hasFailed = false
  connection.attachListeners(stream)
  // The events that a client passes to its query. Source: pg 8, lib/client.js.
  connection.on('rowDescription', (message) => tell('handleRowDescription', message))
  connection.on('dataRow', (message) => tell('handleDataRow', message))
  connection.on('portalSuspended', () => tell('handlePortalSuspended', connection))
  connection.on('emptyQuery', () => tell('handleEmptyQuery', connection))
  connection.on('commandComplete', (message) => tell('handleCommandComplete', message, connection))
  connection.on('parseComplete', () => {
    if (query.name !== undefined && query.text !== undefined) parsedStatements[query.name] = query.text
  })
  connection.on('errorMessage', fails)
  connection.on('readyForQuery', () => {
    onOver()
    if (client._txStatus !== undefined) client._txStatus = statusAfter(client._txStatus, sqlOf(query), hasFailed)
    if (!hasFailed) tell('handleReadyForQuery', connection)
  })
  return connection
}

/** A failed statement fails its transaction, unless the transaction is over anyway. */
function statusAfter(before: PgClient['_txStatus'], sql: string, hasFailed: boolean): TransactionStatus {
  const isInside = isInTransactionAfter(sql, before === 'T' || before === 'E')
  return isInside ? (hasFailed ? 'E' : 'T') : 'I'
}

/** Whether PostgreSQL ends the connection with this error, or the connection was lost. */
function endsConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { severity, code } = error as { readonly severity?: unknown; readonly code?: unknown }
  return /^(?:FATAL|PANIC)$/.test(String(severity)) || /^E[A-Z]+$/.test(String(code)) || error.message.startsWith('Connection terminated')
}

/** Destroys the client's in-memory connection, which the client handles like any lost connection. A real one was opened before the run and stays open. */
function loseConnection({ connection: { stream } }: PgClient): void {
  if (stream !== undefined && stream !== null && serverOf(stream) !== undefined) stream.destroy()
}
