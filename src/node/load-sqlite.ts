import { processWide } from './process-wide.ts'

type Sqlite = typeof import('node:sqlite')

let loaded: Sqlite | undefined | 'missing'

/**
 * Returns Node's own SQLite, or undefined if this Node was built without it. Loaded lazily. Node 22 and 24 print a warning that it is
 * experimental; only that warning is suppressed, because users did not choose SQLite.
 */
export function loadSqlite(): Sqlite | undefined {
  loaded ??= loadQuietly() ?? 'missing'
  return loaded === 'missing' ? undefined : loaded
}

function loadQuietly(): Sqlite | undefined {
  const emit = process.emitWarning
  // Loading is synchronous, so no other warning can come in between.
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) Reflect.apply(emit, process, [warning, ...rest])
  }
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emit
  }
}

const own = processWide('own-databases', () => new WeakSet<object>())

/** Marks a database of this process as goldenrun's own. Its statements belong to no run and no test. */
export function claimDatabase(database: object): void {
  own.add(database)
}

/** Returns whether a database is goldenrun's own. */
export function isOwnDatabase(database: object): boolean {
  return own.has(database)
}
