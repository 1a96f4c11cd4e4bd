import { type AnsweredScope, answeredScope } from '../../../run/scope.ts'
import { isPromise } from 'node:util/types'
import { describeSql } from '../sql.ts'
import { answerExecution } from './answer-execution.ts'
import type { Dialect } from './sqlite-dialect.ts'
import { expandSql } from './expanded-sql.ts'
import { knowStatement } from './known-statements.ts'
import { reviveColumns, type SqliteField, type SqliteOutput } from './results.ts'
import { sandboxColumns } from './sandbox.ts'
import { setMode, settingMethods, startModes } from './statement-modes.ts'
import { defineOwn } from '../../patches.ts'

/** The data that a replay has for a statement that it does not prepare. */
export interface DoubleStart {
  readonly dialect: Dialect
  /** The driver's class of statements. */
  readonly prototype: object
  readonly database: object
  /** The agent's own database object. */
  readonly given: unknown
  readonly sql: string
  /** Prepares it for real. */
  readonly prepare: () => unknown
}

const executing: readonly string[] = ['run', 'get', 'all', 'iterate']

/**
 * A replay's statement: it has the driver's class, but no database prepares it, because none has its tables. Outside of replays, where an agent
 * may have kept it, it is prepared for real.
 */
export function doubleStatement(start: DoubleStart): object {
  const { dialect, prototype, database, sql } = start
  const double = Object.create(prototype) as object
  knowStatement(double, database, sql)
  startModes(double)
  for (const [name, value] of Object.entries(ownFields(start))) Object.defineProperty(double, name, { value, enumerable: true })
  let executedWith: readonly unknown[] = []
  if (dialect.label === 'sqlite') Object.defineProperty(double, 'expandedSQL', { get: () => expandSql(database, sql, executedWith) })
  const real = new RealStatement(start, double)
  for (const name of methodsOf(prototype)) {
    defineOwn(double, name, (...args: readonly unknown[]): unknown => {
      if (executing.includes(name)) executedWith = args
      const scope = answeredScope()
      if (scope === undefined) return real.call(name, args)
      real.keeps(name, args)
      if (executing.includes(name))
        return answerExecution(scope, { dialect, executor: double, method: name, args }, () => real.call(name, args))
      return answerSetting(scope, start, double, name, args)
    })
  }
  return double
}

/** The real statement, with the double's settings. */
class RealStatement {
  readonly #start: DoubleStart
  readonly #double: object
  readonly #settings: (readonly [name: string, args: readonly unknown[]])[] = []
  #prepared: unknown

  constructor(start: DoubleStart, double: object) {
    this.#start = start
    this.#double = double
  }

  keeps(name: string, args: readonly unknown[]): void {
    if (!executing.includes(name) && name !== 'columns') this.#settings.push([name, args])
  }

  call(name: string, args: readonly unknown[]): unknown {
    const { dialect, prepare } = this.#start
    this.#prepared ??= prepare()
    const go = (statement: unknown): unknown => {
      for (const [setting, given] of this.#settings.splice(0)) callMethod(statement as object, setting, given)
      const result = callMethod(statement as object, name, args)
      return result === statement ? this.#double : result
    }
    if (!isPromise(this.#prepared)) return go(this.#prepared)
    if (dialect.isPromised && !executing.includes(name)) this.#settings.push([name, args])
    return executing.includes(name) ? this.#prepared.then(go) : this.#double
  }
}

function callMethod(statement: object, name: string, args: readonly unknown[]): unknown {
  return Reflect.apply(Reflect.get(statement, name) as () => unknown, statement, args)
}

function answerSetting(scope: AnsweredScope, start: DoubleStart, double: object, name: string, args: readonly unknown[]): unknown {
  const { dialect, sql } = start
  const isReader = returnsRows(start)
  if (name === 'toString') return sql
  if (name === 'columns') {
    if (!isReader && dialect.label === 'better-sqlite3') throw new TypeError('The columns() method is only for statements that return data')
    return isReader ? reviveColumns(dialect, fieldsOf(scope, start)) : []
  }
  if (!isReader && ['raw', 'pluck', 'expand'].includes(name) && (dialect.label === 'better-sqlite3' || name === 'raw')) {
    const message = `The ${name}() method is only for statements that return data`
    throw dialect.label === 'better-sqlite3' ? new TypeError(message) : new Error(message)
  }
  if (settingMethods.includes(name)) setMode(dialect, double, name, args)
  if (name === 'pluck' && dialect.label === 'libsql') Reflect.set(double, 'pluckMode', args[0] ?? true)
  return dialect.label === 'sqlite' || name === 'interrupt' ? undefined : double
}

/** The columns that the recorded run got for the same SQL, or those from a fork's sandbox. */
function fieldsOf(scope: AnsweredScope, { dialect, database, sql }: DoubleStart): readonly SqliteField[] {
  const name = `${dialect.label} ${describeSql(sql).verb}`
  const recorded = (scope.run.recorded.find(name, { sql }, 'any')?.output as SqliteOutput | undefined)?.fields
  return recorded ?? sandboxColumns(scope, dialect, database, sql) ?? []
}

/** The driver-specific fields of statements. Source: better-sqlite3, docs/api.md; libsql, index.js; Node, doc/api/sqlite.md. */
function ownFields(start: DoubleStart): Readonly<Record<string, unknown>> {
  const { dialect, given, sql } = start
  if (dialect.label === 'sqlite') return { sourceSQL: sql }
  if (dialect.label === 'libsql') return { reader: returnsRows(start) }
  return { reader: returnsRows(start), readonly: describeSql(sql).effect === 'read', source: sql, database: given, busy: false }
}

/** Whether a statement returns rows, judged by its keywords. */
function returnsRows({ sql }: Pick<DoubleStart, 'sql'>): boolean {
  const text = sql.replace(/--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"/g, ' ').trim()
  if (/^pragma\b/i.test(text)) return givesPragma(text)
  if (/\breturning\b/i.test(text)) return true
  if (/^with\b/i.test(text)) return describeSql(sql).effect === 'read'
  return /^(?:select|values|explain)\b/i.test(text)
}

/** Pragmas that set something return no rows, with exceptions. Source: https://sqlite.org/pragma.html */
function givesPragma(text: string): boolean {
  return (
    !/^pragma\s+[\w.]+\s*=/i.test(text) ||
    /\b(?:journal_mode|journal_size_limit|locking_mode|mmap_size|busy_timeout|wal_autocheckpoint)\b/i.test(text)
  )
}

function methodsOf(prototype: object): readonly string[] {
  const names = Object.entries(Object.getOwnPropertyDescriptors(prototype))
  return names.filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor').map(([name]) => name)
}
