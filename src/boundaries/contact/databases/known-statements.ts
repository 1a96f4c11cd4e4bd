import { processWide } from '../../../node/process-wide.ts'
import { displayPath } from '../../../node/display-path.ts'

/** Where a statement comes from. */
interface Origin {
  readonly database: object
  readonly sql: string | undefined
}

// A statement may be prepared by way of one copy of the package and executed by way of another.
const prepared = processWide('prepared-statements', () => new WeakMap<object, Origin>())

/** Keeps what a statement was made of. */
export function knowStatement(statement: object, database: object, sql: unknown): void {
  prepared.set(statement, { database, sql: typeof sql === 'string' ? sql : undefined })
}

/** The database that a statement, or what else executes SQL, belongs to: itself, where nothing else is known. */
export function databaseOf(executor: object): object {
  const known = read(executor, 'database') ?? prepared.get(executor)?.database
  return typeof known === 'object' && known !== null ? known : executor
}

/** What is executed, as far as it is known. */
export function sqlOf(executor: object, [first]: readonly unknown[]): string | undefined {
  const known = prepared.get(executor)
  if (known !== undefined) return known.sql
  const sql = ['source', 'sourceSQL', 'sql'].map((name) => read(executor, name)).find((text): text is string => typeof text === 'string')
  return sql ?? (typeof first === 'string' ? first : undefined)
}

// What a database tells of itself stays; asking costs it a statement.
const files = new WeakMap<object, string | undefined>()
let isAsking = false

/** Whether it is this door that executes a statement. */
export function isAskingForFile(): boolean {
  return isAsking
}

/**
 * The file of a database, as it is named to people: from the working directory where it is below it. Undefined for one that is in memory.
 *
 * @param unknown The name where the database does not tell.
 */
export function fileOf(database: object, unknown: string): string | undefined {
  if (!files.has(database)) files.set(database, findFile(database) ?? unknown)
  const file = files.get(database)
  if (file === '' || file === ':memory:') return undefined
  return file === undefined || file === unknown ? unknown : displayPath(file)
}

/** Empty of one that is in memory; undefined where it does not tell. */
function findFile(database: object): string | undefined {
  const filename = read(database, 'filename')
  if (typeof filename === 'string') return filename
  isAsking = true
  try {
    return fileInList((database as Asked).prepare('PRAGMA database_list').all())
  } catch {
    // It is shut, or takes no such question.
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

/** A getter of a driver's may throw on what is shut. */
function read(object: object, name: string): unknown {
  try {
    return Reflect.get(object, name) as unknown
  } catch {
    return undefined
  }
}
