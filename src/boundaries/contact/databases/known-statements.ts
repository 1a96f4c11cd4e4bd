import { processWide } from '../../../node/process-wide.ts'
import { displayPath } from '../../../node/display-path.ts'

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
  return typeof known === 'object' && known !== null ? known : executor
}

/** The executed SQL, as far as it is known. */
export function sqlOf(executor: object, [first]: readonly unknown[]): string | undefined {
  const known = prepared.get(executor)
  if (known !== undefined) return known.sql
  const sql = ['source', 'sourceSQL', 'sql'].map((name) => read(executor, name)).find((text): text is string => typeof text === 'string')
  return sql ?? (typeof first === 'string' ? first : undefined)
}

// Cached, because asking a database for its file costs a statement.
const files = new WeakMap<object, string | undefined>()
let isAsking = false

/** Whether this door itself is executing a statement. */
export function isAskingForFile(): boolean {
  return isAsking
}

/**
 * The display path of a database's file, relative to the working directory if it is below it. Undefined for an in-memory database.
 *
 * @param unknown The name if the file is unknown.
 */
export function fileOf(database: object, unknown: string): string | undefined {
  if (!files.has(database)) files.set(database, findFile(database) ?? unknown)
  const file = files.get(database)
  if (file === '' || file === ':memory:') return undefined
  return file === undefined || file === unknown ? unknown : displayPath(file)
}

/** Empty for an in-memory database; undefined if unknown. */
function findFile(database: object): string | undefined {
  const filename = read(database, 'filename')
  if (typeof filename === 'string') return filename
  isAsking = true
  try {
    return fileInList((database as Asked).prepare('PRAGMA database_list').all())
  } catch {
    // The database is closed, or does not support the query.
    const name = read(database, 'name')
    return typeof name === 'string' && name !== '' ? name : undefined
  } finally {
    isAsking = false
  }
}

interface Asked {
  prepare(sql: string): { all(): unknown }
}

/** Source: https://sqlite.org/pragma.html#pragma_database_list. Its columns are a number, a name (`main` comes first) and the file. */
function fileInList(list: unknown): string | undefined {
  const [main]: unknown[] = Array.isArray(list) ? list : []
  const file: unknown = typeof main === 'object' && main !== null ? Object.values(main)[2] : undefined
  return typeof file === 'string' ? file : undefined
}

/** A driver's getter may throw for a closed database. */
function read(object: object, name: string): unknown {
  try {
    return Reflect.get(object, name) as unknown
  } catch {
    return undefined
  }
}
