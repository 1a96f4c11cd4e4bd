import { bindScope, currentScope, runBelow, type Scope } from '../../../run/scope.ts'
import { omitUndefined } from '../../../trace/json.ts'
import { replaceProperty, type Restore } from '../../patches.ts'
import { Arrival } from '../../arrival.ts'
import { answerDriverCall, type DriverCall, recordDriverCall } from '../driver-call.ts'
import { outsideOfRuns, unanswered } from '../driver-work.ts'
import { sessionOfClient } from '../sessions-of-run.ts'
import { describeSql } from '../sql.ts'
import { keepResult, type PostgresAnswer, reviveResult } from './postgres-answer.ts'
import type { PostgresErrorClass, PostgresQuery, PostgresResult } from './postgres-query.ts'
import type { SqlInput } from '../../../models/read-sql.ts'
import { readStatement, type TypedValue } from './postgres-values.ts'
import { isOfFile, readFileOf } from './statement-file.ts'
import { hasOwnSender, transactionOfQuery } from './transaction-of-query.ts'

/** Opens the door of a class of queries: promises that are sent when they are awaited. */
export function openPostgres(prototype: PostgresQuery, errorClass: PostgresErrorClass): Restore {
  return replaceProperty(prototype, 'handle', (original) => {
    return function handle(this: PostgresQuery): unknown {
      if (this.executed) return original.call(this)
      const scope = currentScope()
      let go = (): unknown => original.call(this)
      if (scope === undefined) return outsideOfRuns('postgres', 'database', go, (error) => refuse(this, error))
      if (isOfFile(this)) {
        this.executed = true
        hasOwnSender(this)
        const handOn = readFileOf(this)
        if (handOn === undefined) return Promise.resolve()
        go = handOn
      }
      const foreign = foreignQuery(this)
      if (foreign !== undefined) return unanswered(scope, 'postgres', foreign, go, (error) => refuse(this, error))
      const call = describe(scope, this, errorClass)
      if (scope.run.mode === 'record') record(scope, this, call, go, errorClass)
      else answer(scope, this, call, errorClass)
      return Promise.resolve()
    }
  })
}

/** Names what a query does beyond question and answer: it copies data, or listens for notifications. */
function foreignQuery(query: PostgresQuery): string | undefined {
  const [, verb] = /^\s*(copy|listen)\b/i.exec(query.strings[0] ?? '') ?? []
  if (verb?.toLowerCase() === 'listen') return 'notifications'
  return verb === undefined && query.streaming !== true ? undefined : 'copy'
}

function describe(scope: Scope, query: PostgresQuery, errorClass: PostgresErrorClass): DriverCall {
  const statement = readStatement(query)
  const { verb, effect } = describeSql(statement.sql)
  const transaction = transactionOfQuery(scope.run, query, statement.sql)
  const { cursorRows: rows, onlyDescribe, canceller } = query
  const session = canceller === undefined || canceller === null ? {} : sessionOfClient(scope.run, canceller)
  const input = { ...statement, ...omitUndefined({ rows, described: onlyDescribe || undefined, transaction }), ...session }
  return { name: `postgres ${verb}`, effect, input, errors: [errorClass] }
}

/** Each further batch of a cursor is a call of its own. */
function fetching({ name, input, errors = [] }: DriverCall): DriverCall {
  return { name: name.replace(/ \w+$/, ' FETCH'), effect: 'read', input, errors }
}

function record(scope: Scope, query: PostgresQuery, call: DriverCall, go: () => unknown, errorClass: PostgresErrorClass): void {
  let arrival = new Arrival()
  const rows: unknown[] = []
  // A cursor's iterator sets these properties again at each step.
  watch(query, 'resolve', (resolve) => (result) => {
    arrival.settle(keepResult(rows.length === 0 ? result : withRows(result as PostgresResult, rows), true))
    return resolve(result)
  })
  watch(query, 'reject', (reject) => (error) => {
    arrival.fail(asGiven(error, errorClass))
    return reject(error)
  })
  watch(query, 'forEachFn', (each) =>
    bindScope((row: unknown, result: unknown) => {
      rows.push(row)
      return each(row, result)
    }),
  )
  watch(query, 'cursorFn', (give) =>
    bindScope(async (result: unknown) => {
      const isLast = (result as PostgresResult).length < (query.cursorRows ?? 1)
      arrival.settle(keepResult(result, isLast ? true : undefined))
      const wanted: unknown = await give(result)
      if (isLast || isClose(wanted)) return wanted
      arrival = new Arrival()
      recordDriverCall(scope, fetching(call), arrival, () => undefined)
      return wanted
    }),
  )
  recordDriverCall(scope, call, arrival, go)
}

function answer(scope: Scope, query: PostgresQuery, call: DriverCall, errorClass: PostgresErrorClass): void {
  Object.assign(query, { executed: true, active: true })
  const sql = (call.input as { readonly sql: string }).sql
  const isRaw = query.isRaw !== undefined && query.isRaw !== false
  const ask = (asked: DriverCall): Promise<unknown> => answerDriverCall(scope, asked)
  const first = ask(call)
  const deliver = async (): Promise<void> => {
    let kept = await first
    for (;;) {
      const result = reviveResult(kept, isRaw, sql)
      const { cursorFn, forEachFn } = query
      if (forEachFn !== undefined) for (const row of (result as unknown[]).splice(0)) forEachFn(row, result)
      if (cursorFn === undefined) return void query.resolve(result)
      const { isLast } = kept as PostgresAnswer
      const wanted: unknown = result.length === 0 ? undefined : cursorFn(result)
      if (isLast === true || isClose(await wanted)) return void query.resolve(reviveResult({ ...(kept as object), rows: [] }, isRaw, sql))
      kept = await ask(fetching(call))
    }
  }
  query.options.onexecute?.(nobody())
  runBelow(scope, {}, () => void deliver().catch((error: unknown) => query.reject(asThrown(error, errorClass, query, call))))
}

/** Before postgres 3.4, a query's error has the server's error, with its fields, as its prototype. */
function asGiven(error: unknown, errorClass: PostgresErrorClass): unknown {
  const prototype: unknown = typeof error === 'object' && error !== null ? Object.getPrototypeOf(error) : undefined
  return prototype instanceof errorClass ? prototype : error
}

/** A server error as postgres makes it, with its name among its fields. */
function asThrown(error: unknown, errorClass: PostgresErrorClass, { args }: PostgresQuery, { input }: DriverCall): unknown {
  if (!(error instanceof errorClass)) return error
  const { sql, values = [] } = input as SqlInput
  const { severity_local, severity, ...others } = error as Error & Readonly<Record<string, unknown>>
  // PostgreSQL sends these first.
  const thrown = new errorClass({ severity_local, severity, ...others, message: error.message })
  // With `debug` they are ordinary fields.
  for (const [key, value] of Object.entries({ query: sql, parameters: (values as readonly unknown[]).map(asParameter), args }))
    if (!(key in thrown)) Object.defineProperty(thrown, key, { value, configurable: true })
  return thrown
}

function refuse(query: PostgresQuery, error: Error): unknown {
  Reflect.set(query, 'executed', true)
  return query.reject(error)
}

/** Wraps a callback of a query, whether it is set now or later. */
function watch<Name extends 'resolve' | 'reject' | 'forEachFn' | 'cursorFn'>(
  query: PostgresQuery,
  name: Name,
  wrap: (original: NonNullable<PostgresQuery[Name]>) => NonNullable<PostgresQuery[Name]>,
): void {
  let [given, wrapped] = [query[name], query[name] && wrap(query[name])]
  Object.defineProperty(query, name, {
    get: () => wrapped,
    set(value: NonNullable<PostgresQuery[Name]>) {
      if (value !== given) [given, wrapped] = [value, wrap(value)]
    },
    configurable: true,
    enumerable: true,
  })
}

/** A result with rows that were passed one by one. */
function withRows({ command, columns, count, state }: PostgresResult, rows: readonly unknown[]): object {
  return Object.assign([...rows], { command, columns, count, state })
}

/** Whether the agent wants no more rows. Source: postgres 3, `CLOSE`, an empty object. */
function isClose(wanted: unknown): boolean {
  return typeof wanted === 'object' && wanted !== null && Object.keys(wanted).length === 0
}

/** The connection of a replayed transaction: postgres moves it between its queues, but never sends anything over it. */
function nobody(): object {
  const queue = { remove: () => undefined, push: () => undefined }
  return { queue, idleTimer: { start: () => undefined, cancel: () => undefined }, execute: () => true }
}

/** Numbers are sent as strings, and so is JSON. */
function asParameter(value: unknown): unknown {
  if (isTyped(value)) return isJson(value.type) ? JSON.stringify(value.value) : asParameter(value.value)
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
}

function isTyped(value: unknown): value is TypedValue {
  return typeof value === 'object' && value !== null && Object.keys(value).join() === 'value,type'
}

/** PostgreSQL's type numbers of `json` and `jsonb`. */
function isJson(type: unknown): boolean {
  return type === 114 || type === 3802
}
