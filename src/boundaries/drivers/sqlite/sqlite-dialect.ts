import { askDatabase } from './known-statements.ts'
import { loadSqlite } from '../../../node/load-sqlite.ts'

/** The differences between SQLite drivers. */
export interface Dialect {
  /** The prefix of its steps' names. */
  readonly label: string
  /** The name for a database whose file is unknown. */
  readonly driver: string
  /** Whether some of its methods return promises. */
  readonly isPromised: boolean
  /** The prototype of its errors; null if they have no class of their own. */
  errorPrototype(database: object): object | null
  /** The prototype of the rows that it returns as objects. */
  rowPrototype(): object | null
  iteratorPrototype(): object
  /** The result of its iterators after the last row. */
  done(): object
}

/** Node's own SQLite. */
export function nodeDialect(driver: string): Dialect {
  let known: { readonly row: object | null; readonly iterator: object } | undefined
  // Versions of Node differ.
  const probe = (): NonNullable<typeof known> => (known ??= probeNode())
  return {
    label: 'sqlite',
    driver,
    isPromised: false,
    errorPrototype: () => null,
    rowPrototype: () => probe().row,
    iteratorPrototype: () => probe().iterator,
    done: () => Object.assign(Object.create(probe().row) as object, { done: true, value: null }),
  }
}

function probeNode(): { readonly row: object | null; readonly iterator: object } {
  const sqlite = loadSqlite()
  if (sqlite === undefined) return { row: null, iterator: Object.prototype }
  return askDatabase(() => {
    const database = new sqlite.DatabaseSync(':memory:')
    const statement = database.prepare('SELECT 1 AS one')
    const row = Object.getPrototypeOf(statement.get()) as object | null
    const iterator = Object.getPrototypeOf(statement.iterate()) as object
    database.close()
    return { row, iterator }
  })
}

/** @param iterator The prototype of its iterators. */
export function betterDialect(driver: string, iterator: object): Dialect {
  return {
    label: 'better-sqlite3',
    driver,
    isPromised: false,
    errorPrototype: provokedError,
    rowPrototype: () => Object.prototype,
    iteratorPrototype: () => iterator,
    done: () => ({ value: undefined, done: true }),
  }
}

/** @param error The class of its errors. */
export function libsqlDialect(isPromised: boolean, error: unknown): Dialect {
  return {
    label: 'libsql',
    driver: 'libsql',
    isPromised,
    errorPrototype: () => (typeof error === 'function' ? (error.prototype as object) : null),
    rowPrototype: () => Object.prototype,
    iteratorPrototype: () => Object.prototype,
    done: () => ({ done: true }),
  }
}

/** Provokes an error: the driver passes its error class to its native code only. */
function provokedError(database: object): object | null {
  try {
    askDatabase(() => (database as { prepare(...args: unknown[]): unknown }).prepare('goldenrun', database, false, false))
    return null
  } catch (error) {
    return error instanceof Error && error.name === 'SqliteError' ? (Object.getPrototypeOf(error) as object) : null
  }
}
