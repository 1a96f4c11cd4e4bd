import { currentScope, runBelow, runInScope, type Scope } from '../../../run/scope.ts'
import { markTransport } from '../../contact/known-sockets.ts'
import { combine, defineOwn, replaceProperty, type Restore } from '../../patches.ts'
import type { DriverClass } from '../driver.ts'
import { describeSql } from '../sql.ts'
import { connecting, hearCalls, outsideOfRuns, unanswered, ownWork, replaceMethods } from '../driver-work.ts'
import { Arrival } from '../../arrival.ts'
import { acquiring, openingClients } from '../acquiring.ts'
import { connectionOf } from '../connection-of-run.ts'
import { withCallback } from '../agent-callback.ts'
import { poolStep, queryPool } from './pool-query.ts'
import { type Answer, answerQuery } from './answer-query.ts'
import { followQuery } from './follow-query.ts'
import { followRefused, isLost, withQueries } from './lost-client.ts'
import { knowPool } from './pg-call.ts'
import { knowLimit, withoutTimer } from './pg-limits.ts'
import { type PgClient, type PgQuery, queueOf } from './pg-client.ts'
import type { PgResult } from './pg-messages.ts'
import { isOwnStatement, ownAnswer, textOf } from './own-statements.ts'
import { isPgError, PgServer } from './pg-server.ts'
import type { MakeServer } from '../served-connections.ts'

/** The package pg, with pg-pool, pg-cursor and pg-query-stream. */
export const pgDriver: readonly DriverClass[] = [
  { own: ['_handleReadyForQuery', '_pulseQueryQueue', '_attachListeners', 'query'], open: openClient },
  { own: ['_pulseQueue', '_acquireClient', '_releaseOnce', 'newClient'], open: openPool },
]

function openClient(prototype: object): Restore {
  return combine(
    connecting(prototype, ['connect'], () => makeServer, hostOf, connectionOf),
    openingClients(prototype, ['connect'], 'pg connect', '_Promise'),
    ownWork(prototype, ['end']),
    replaceProperty(prototype as PgClient, 'query', queryDoor),
  )
}

/** An error that is not PostgreSQL's own means that there is no connection. */
const makeServer: MakeServer = (socket, failure) => {
  const isOwn = failure === undefined || isPgError(failure)
  if (!isOwn) socket.fail(failure)
  return new PgServer(socket, answerSetUp, undefined, isOwn ? failure : undefined)
}

function openPool(prototype: object): Restore {
  return combine(
    ownWork(prototype, ['connect', '_release', '_remove']),
    acquiring(prototype, ['connect'], 'pg connect'),
    replaceMethods(prototype, ['query'], queryPool),
    hearCalls(prototype, ['_acquireClient'], (pool, [client]) => knowPool(client as object, pool)),
  )
}

function queryDoor(original: PgClient['query']): PgClient['query'] {
  return function query(this: PgClient, ...args) {
    const go = (): unknown => Reflect.apply(original, this, args)
    const part = poolStep(args[0])
    const scope = currentScope() ?? part?.scope
    if (scope !== undefined && isOwnStatement(args[0])) return askOwn(scope, this, go, args)
    const refuse = (error: Error): unknown => takeQuery(this, go, (asked) => fail(this, asked, error))
    if (scope === undefined) return outsideOfRuns('pg', hostOf(this), go, refuse)
    const foreign = part === undefined ? foreignQuery(args[0]) : undefined
    if (foreign !== undefined) return unanswered(scope, 'pg', foreign, go, refuse)
    // The driver sets a timer for a query with a time limit.
    const make = (own: readonly unknown[]): unknown => runBelow(scope, part?.scope.below ?? {}, () => Reflect.apply(original, this, own))
    keepScope(scope, args[0])
    if (scope.run.mode === 'replay') {
      const [config, ...others] = withCallback(args)
      return takeQuery(
        this,
        () => withQueries(this, () => withoutTimer(this, config, (limitless) => make([limitless, ...others]))),
        (asked) => {
          knowLimit(asked, config)
          answerQuery(scope, this, asked, part?.step.answer as Answer | undefined)
        },
      )
    }
    if (part === undefined && isLost(this)) return followRefused(scope, this, args, make)
    const { stream } = this.connection
    if (typeof stream === 'object' && stream !== null) markTransport(stream)
    const arrival = part?.step.arrival ?? new Arrival()
    // At a timeout, the driver notifies the agent before its query.
    const own = withCallback(args, { fail: (error) => arrival.fail(error) })
    return takeQuery(
      this,
      () => make(own),
      (asked) => {
        knowLimit(asked, args[0])
        followQuery(scope, this, asked, { arrival, isPart: part !== undefined })
      },
    )
  }
}

/** Answers a library's own statement: for real in a recording, otherwise like the server in memory. */
function askOwn(scope: Scope, client: PgClient, go: () => unknown, args: readonly unknown[]): unknown {
  if (scope.run.mode === 'record') return runBelow(scope, {}, go)
  const answer = Promise.resolve(ownAnswer(textOf(args[0])) ?? { command: 'SET' })
  return takeQuery(client, go, (asked) => answerQuery(scope, client, asked, answer))
}

/** Names what a statement does beyond question and answer: it copies data, or listens for notifications. */
function foreignQuery(config: unknown): string | undefined {
  const [, verb] = /^\s*(copy|listen)\b/i.exec(textOf(config)) ?? []
  if (verb !== undefined) return verb.toLowerCase() === 'copy' ? 'copy' : 'notifications'
  const isAnswered = typeof config !== 'object' || config === null || !('submit' in config) || 'handleRowDescription' in config
  return isAnswered ? undefined : 'query of another kind'
}

/**
 * Makes the driver create its query, and takes the query before it is sent.
 *
 * @param take Gets the query, the last in the driver's queue. A closed client itself refuses queries and creates none.
 */
function takeQuery(client: PgClient, go: () => unknown, take: (query: PgQuery) => void): unknown {
  const queue = queueOf(client)
  const before = queue.at(-1)
  const own = Object.getOwnPropertyDescriptor(client, '_pulseQueryQueue')
  defineOwn(client, '_pulseQueryQueue', () => undefined)
  let result: unknown
  try {
    result = go()
  } finally {
    if (own === undefined) Reflect.deleteProperty(client, '_pulseQueryQueue')
    else Object.defineProperty(client, '_pulseQueryQueue', own)
  }
  const query = queue.at(-1)
  if (query !== undefined && query !== before) take(query)
  return result
}

/** Makes a query that the agent created learn of a refusal in the agent's scope. */
function keepScope(scope: Scope, given: unknown): void {
  if (typeof given !== 'object' || given === null || !('submit' in given)) return
  const query = given as PgQuery
  const { handleError } = query
  if (typeof handleError === 'function')
    query.handleError = (...args) => runInScope(scope, (): unknown => Reflect.apply(handleError, query, args))
}

function fail(client: PgClient, query: PgQuery, error: Error): void {
  const queue = queueOf(client)
  queue.splice(queue.indexOf(query), 1)
  process.nextTick(() => query.handleError(error, client.connection))
}

function hostOf({ host, port }: PgClient): string {
  return `${host ?? 'localhost'}:${port ?? 5432}`
}

/** Answers statements that set up a new connection and are not steps: they succeed and return nothing. */
function answerSetUp(sql: string): Promise<PgResult> {
  const { verb } = describeSql(sql)
  return Promise.resolve(ownAnswer(sql) ?? { command: verb })
}
