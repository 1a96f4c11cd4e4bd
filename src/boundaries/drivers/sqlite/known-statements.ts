import { realpathSync } from 'node:fs'
import path from 'node:path'
import { processWide } from '../../../node/process-wide.ts'
import { knownOrMade } from '../../../trace/remember.ts'
import { displayPath } from '../../../node/display-path.ts'
import { orElse } from '../../../trace/or-else.ts'

/** The origin of a statement. */
interface Origin {
  readonly database: object
  readonly sql: string | undefined
}

// A statement may be prepared through one copy of the package and executed through another.
const prepared = processWide('prepared-statements', () => new WeakMap<object, Origin>())

/** Remembers the origin of a statement. */
export function knowStatement(statement: object, database: object, sql: unknown): void {
  prepared.set(statement, { database, sql: typeof sql === 'string' ? sql : undefined })
}

/** The database of a statement or another executor; the executor itself if unknown. */
export function databaseOf(executor: object): object {
  const known = read(executor, 'database') ?? prepared.get(executor)?.database
  return typeof known === 'object' && known !== null ? nativeOf(known) : executor
}

const natives = new WeakMap<object, object>()

/** A better-sqlite3 database holds, under a symbol, the object that does the work. Source: better-sqlite3, lib/util.js. */
function nativeOf(database: object): object {
  return knownOrMade(natives, database, () => {
    const held = Object.getOwnPropertySymbols(database).map((symbol): unknown => Reflect.get(database, symbol))
    return held.find((value): value is object => typeof value === 'object' && value !== null && 'prepare' in value) ?? database
  })
}

/** The executed SQL, if known. */
export function sqlOf(executor: object, [first]: readonly unknown[]): string | undefined {
  return prepared.has(executor) ? prepared.get(executor)?.sql : (statementSql(executor) ?? (typeof first === 'string' ? first : undefined))
}

/** The SQL of a statement, if known. */
export function statementSql(statement: object): string | undefined {
  const known = prepared.get(statement)?.sql
  return (
    known ?? ['source', 'sourceSQL', 'sql'].map((name) => read(statement, name)).find((text): text is string => typeof text === 'string')
  )
}

const readOnly = processWide('read-only-databases', () => new WeakSet<object>())

/** Remembers that a database was opened read-only, which Node's own does not expose. */
export function knowReadOnly(database: object): void {
  readOnly.add(database)
}

/** Whether a database is known to have been opened read-only. */
export function isReadOnly(database: object): boolean {
  return readOnly.has(database) || read(database, 'readonly') === true
}

// Cached, because asking a database for its file costs a statement.
const files = new WeakMap<object, string | undefined>()
// A database of a replay is in memory, and stands in for the file that the agent opened.
const opened = processWide('databases-in-memory', () => new WeakMap<object, string>())
let isAsking = false

/** Whether goldenrun itself is executing a statement. */
export function isAskingForFile(): boolean {
  return isAsking
}

/** Executes goldenrun's own statements, which no door sees. */
export function askDatabase<Result>(body: () => Result): Result {
  const before = isAsking
  isAsking = true
  try {
    return body()
  } finally {
    isAsking = before
  }
}

/** Notes the file that a database in memory stands in for; for libsql, takes the inner object. */
export function passForFile(database: object, file: string): void {
  opened.set(database, file)
}

const absent = processWide('databases-without-file', () => new WeakSet<object>())

/** Notes a database that stands in for a missing file; for libsql, takes the inner object. */
export function passForAbsent(database: object): void {
  absent.add(database)
}

/** Whether the file of a database does not exist, so that the database is in memory. */
export function isAbsent(database: object): boolean {
  const handle = read(database, 'db')
  return absent.has(database) || (typeof handle === 'object' && handle !== null && absent.has(handle))
}

/**
 * The display path of a database's file, relative to the working directory if it is below it. Undefined for an in-memory database.
 *
 * @param unknown The name to return if the file is unknown.
 */
export function fileOf(database: object, unknown: string): string | undefined {
  const file = pathOf(database)
  if (file === '' || file === ':memory:') return undefined
  return file === undefined ? unknown : displayFile(file)
}

/** The display form of a file, or of the address of a remote database. */
export function displayFile(file: string): string {
  return isRemote(file) ? file : displayPath(file)
}

/** Whether this is the address of a remote database. */
export function isRemote(file: string): boolean {
  return /^(?!file:)[a-z]+:\/\//i.test(file)
}

/** Whether a database has been closed, or has not been opened yet. Drivers use different names for this. */
export function isClosed(database: object): boolean {
  return read(database, 'isOpen') === false || read(database, 'open') === false
}

/** The file that a database in memory stands in for. */
export function passedFile(database: object): string | undefined {
  return opened.get(database)
}

/** The path of a database's file; empty or `:memory:` for an in-memory database, undefined if unknown. */
export function pathOf(database: object): string | undefined {
  const handle = read(database, 'db')
  const file = opened.get(database) ?? (typeof handle === 'object' && handle !== null ? opened.get(handle) : undefined)
  if (file !== undefined) return file
  if (!files.has(database)) files.set(database, findFile(database))
  return files.get(database)
}

/** Empty for an in-memory database; undefined if unknown. */
function findFile(database: object): string | undefined {
  const filename = read(database, 'filename')
  if (typeof filename === 'string') return filename
  const [name, isInMemory] = [read(database, 'name'), read(database, 'memory')]
  // The name in better-sqlite3. Querying the file instead would show up in the agent's `verbose` log.
  if (typeof name === 'string' && name !== '' && typeof isInMemory === 'boolean') return isInMemory ? '' : realPath(name)
  try {
    return askDatabase(() => fileInList((database as Asked).prepare('PRAGMA database_list', database, false, false).all()))
  } catch {
    // The database is closed, or does not support the query.
    return typeof name === 'string' && name !== '' ? name : undefined
  }
}

function realPath(file: string): string {
  return orElse(() => realpathSync(file), path.resolve(file))
}

/** better-sqlite3's `prepare` takes more arguments. Source: better-sqlite3, lib/methods/wrappers.js. */
interface Asked {
  prepare(sql: string, ...more: unknown[]): { all(): unknown }
}

/** Source: https://sqlite.org/pragma.html#pragma_database_list. Its columns are a number, a name (`main` comes first) and the file. */
function fileInList(list: unknown): string | undefined {
  const [main]: unknown[] = Array.isArray(list) ? list : []
  const file: unknown = typeof main === 'object' && main !== null ? Object.values(main)[2] : undefined
  return typeof file === 'string' ? file : undefined
}

/** A driver's getter may throw for a closed database. */
function read(object: object, name: string): unknown {
  return orElse(() => Reflect.get(object, name) as unknown, undefined)
}
