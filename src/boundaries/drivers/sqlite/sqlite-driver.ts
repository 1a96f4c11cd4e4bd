import { isOwnDatabase } from '../../../node/load-sqlite.ts'
import { currentScope, isAnswered } from '../../../run/scope.ts'
import { ContactRefusedError } from '../../contact/contact-refused-error.ts'
import { executeContact } from '../../contact/databases/execute-contact.ts'
import { contactUnderWay, makeContact, throwRefusal } from '../../contact/make-contact.ts'
import { combine, isReplacement, LaterDoors, type Restore, syncNamedImports } from '../../patches.ts'
import { hasOwnMethods, ownMethods } from '../driver.ts'
import { type MethodCall, replaceMethods } from '../driver-work.ts'
import { answerExecution } from './answer-execution.ts'
import { betterDialect, type Dialect, libsqlDialect, nodeDialect } from './sqlite-dialect.ts'
import { databaseOf, displayFile, fileOf, isAskingForFile, knowStatement, passedFile } from './known-statements.ts'
import { isProbe, sqlOfExecution } from './execution.ts'
import { endLeftTransaction } from './mirror-transaction.ts'
import { isInMemory } from './file-url.ts'
import { type Construction, openClassInMemory, openFunctionsInMemory } from './open-in-memory.ts'
import { otherFileOf } from './other-files.ts'
import { prepareStatement } from './prepare-statement.ts'
import { recordExecution } from './record-execution.ts'
import { setMode, settingMethods } from './statement-modes.ts'

type Class = abstract new (...args: never[]) => object

/** Methods whose calls are steps. */
const executing: readonly string[] = ['exec', 'run', 'get', 'all', 'iterate', 'serialize']
/** Methods that act on more than the database, or on the whole database. */
const contacting: readonly string[] = [
  'applyChangeset',
  'backup',
  'createSession',
  'deserialize',
  'loadExtension',
  'sync',
  'syncUntil',
  'maxWriteReplicationIndex',
]

/**
 * Opens the doors of a known SQLite driver: Node's own, better-sqlite3, libsql. Executing its statements is a step. Undefined for any other
 * driver.
 *
 * @param name Its package.
 */
export function openSqlite(exported: unknown, name: string): Restore | undefined {
  if ((typeof exported !== 'object' && typeof exported !== 'function') || exported === null) return undefined
  if (name === 'node:sqlite') return openNode(exported, name)
  if (isLibsql(exported))
    return openPrototype(exported.prototype as object, libsqlDialect(name === 'libsql/promise', Reflect.get(exported, 'SqliteError')))
  return isBetter(exported) ? openBetter(exported, name) : undefined
}

/** Makes libsql open its databases in memory in a replay: it takes its functions from its native code when it is loaded. */
export function openSqliteCode(exported: unknown): Restore | undefined {
  if (typeof exported !== 'object' || exported === null) return undefined
  const isCode = ['databaseOpen', 'databasePrepareSync'].every((name) => typeof Reflect.get(exported, name) === 'function')
  return isCode ? openFunctionsInMemory(exported, libsqlDialect(false, undefined)) : undefined
}

function openNode(exported: object, name: string): Restore {
  const sqlite = exported as { DatabaseSync: Class; StatementSync: Class }
  const dialect = nodeDialect(name)
  const restore = combine(
    openPrototype(sqlite.DatabaseSync.prototype as object, dialect, sqlite.StatementSync.prototype as object),
    openPrototype(sqlite.StatementSync.prototype as object, dialect),
    replaceMethods(sqlite, ownMethods(sqlite, ['backup']), (call) => callBackup(call, dialect)),
    openClassInMemory(sqlite, 'DatabaseSync', dialect, {
      toMemory: ([given, ...others]) => (isInMemory(given) ? undefined : [':memory:', ...others]),
      toFile: ([, ...others], file) => [file, ...others],
      isReadOnly: ([, options]) => typeof options === 'object' && options !== null && Reflect.get(options, 'readOnly') === true,
    }),
  )
  syncNamedImports()
  return combine(syncNamedImports, restore)
}

interface BetterCode {
  Database: Class
  readonly Statement: Class
  readonly StatementIterator: Class
}

function openBetter(code: BetterCode, name: string): Restore {
  const dialect = betterDialect(name, code.StatementIterator.prototype as object)
  return combine(
    openPrototype(code.Database.prototype as object, dialect, code.Statement.prototype as object),
    openPrototype(code.Statement.prototype as object, dialect),
    openClassInMemory(code, 'Database', dialect, betterConstruction),
  )
}

// File, file as given, whether it is in memory, readonly, whether it must exist, timeout, logger, contents, descriptors.
const betterConstruction: Construction = {
  toMemory([file, given, inMemory, readonly, _exists, timeout, verbose, contents, descriptor, ...others]) {
    if (inMemory === true || isInMemory(file) || Buffer.isBuffer(contents)) return undefined
    const descriptors = [...(descriptor === undefined ? [] : [null]), ...others.map(() => null)]
    return [':memory:', given, inMemory, readonly, false, timeout, verbose, contents, ...descriptors]
  },
  // Without the agent's logger.
  toFile: ([_file, _given, inMemory, readonly, _exists, timeout, _verbose, ...others], file) => [
    file,
    file,
    inMemory,
    readonly,
    true,
    timeout,
    null,
    ...others,
  ],
}

function isBetter(exported: object): exported is BetterCode {
  const has = (name: string, methods: readonly string[]): boolean => {
    const value: unknown = Object.getOwnPropertyDescriptor(exported, name)?.value
    return typeof value === 'function' && hasOwnMethods(value.prototype, methods)
  }
  return (
    has('Database', ['prepare', 'exec', 'backup', 'unsafeMode']) &&
    has('Statement', ['run', 'all', 'pluck', 'expand']) &&
    has('StatementIterator', ['next'])
  )
}

function isLibsql(exported: object): exported is Class {
  return (
    typeof exported === 'function' &&
    hasOwnMethods(Reflect.get(exported, 'prototype'), ['prepare', 'exec', 'transaction', 'sync', 'defaultSafeIntegers'])
  )
}

// Not all drivers export their class of statements, and some reveal it only later.
const statementsOf = new WeakMap<object, object>()

/** @param statements The prototype of its statements, if known. */
function openPrototype(prototype: object, dialect: Dialect, statements?: object): Restore {
  const own = (names: readonly string[]): readonly string[] => ownMethods(prototype, names)
  const doors = new LaterDoors()
  const meet = (statement: object): void => {
    const met = Object.getPrototypeOf(statement) as object
    statementsOf.set(prototype, met)
    openStatements(met)
  }
  const openStatements = (met: object): void => {
    doors.open(met, () => (isReplacement(Reflect.get(met, 'run')) ? () => undefined : openPrototype(met, dialect)))
  }
  const known = { prototype: statements ?? statementsOf.get(prototype) }
  if (statements === undefined && known.prototype !== undefined) openStatements(known.prototype)
  return combine(
    doors.shut,
    replaceMethods(prototype, own(executing), (call) => execute(call, dialect)),
    replaceMethods(prototype, own(contacting), (call) => contact(call, dialect)),
    replaceMethods(prototype, own(settingMethods), ({ self, name, args, go }) => {
      const result = go()
      setMode(dialect, self, name, args)
      return result
    }),
    replaceMethods(prototype, own(['location']), ({ self, args: [name = 'main'], go }) => {
      return (name === 'main' ? passedFile(self) : undefined) ?? go()
    }),
    replaceMethods(prototype, own(['prepare']), ({ self, args, go }) => {
      return prepareStatement({ dialect, database: databaseOf(self), args, known, meet, go: go })
    }),
    replaceMethods(prototype, own(['createTagStore']), ({ self, go }) => {
      const store = go() as object
      knowStatement(store, self, undefined)
      openStatements(Object.getPrototypeOf(store) as object)
      return store
    }),
  )
}

function execute({ self: executor, name: method, args, go }: MethodCall, dialect: Dialect): unknown {
  if (isAskingForFile() || contactUnderWay() !== undefined) return go()
  const scope = currentScope()
  const database = databaseOf(executor)
  endLeftTransaction(scope?.run, database)
  if (isOwnDatabase(database)) return go()
  const execution = { dialect, executor, method, args }
  const sql = sqlOfExecution(execution)
  if (scope === undefined || sql === undefined) return executeContact({ executor, args, driver: dialect.driver }, go)
  if (isProbe(sql)) return go()
  if (fileOf(database, dialect.driver) === undefined) return reachOther(otherFileOf(sql), go)
  return isAnswered(scope) ? answerExecution(scope, execution, go) : recordExecution(scope, execution, go)
}

/** SQL of an in-memory database is not a step, but may open another or write a copy. */
function reachOther(file: string | undefined, go: () => unknown): unknown {
  return file === undefined ? go() : makeContact(() => ({ door: 'database', host: displayFile(file) }), go, throwRefusal)
}

function contact({ self: executor, name, args, go }: MethodCall, { driver }: Dialect): unknown {
  const hasFile = fileOf(databaseOf(executor), driver) !== undefined
  if (name === 'backup' && !hasFile) return reachOther(targetOf(args), go)
  return executeContact({ executor, args, driver }, go)
}

/** The file that `backup` writes: the last string or URL among its arguments. */
function targetOf(args: readonly unknown[]): string | undefined {
  const file = args.findLast((each) => typeof each === 'string' || each instanceof URL)
  return file === undefined ? undefined : String(file)
}

/** A call of a function of Node's module that takes the database and returns a promise. */
function callBackup(call: MethodCall, dialect: Dialect): unknown {
  const [database] = call.args
  if (typeof database !== 'object' || database === null) return call.go()
  try {
    return contact({ ...call, self: database }, dialect)
  } catch (error) {
    if (error instanceof ContactRefusedError) return Promise.reject(error)
    throw error
  }
}
