type Sqlite = typeof import('node:sqlite')

let loaded: Sqlite | undefined | 'missing'

/**
 * Node's own SQLite, or undefined where this Node was built without it. Loaded when it is first needed. Node 22 and 24 call it experimental in a
 * warning; that one warning is kept from users, who did not choose it, and no other.
 */
export function loadSqlite(): Sqlite | undefined {
  loaded ??= loadQuietly() ?? 'missing'
  return loaded === 'missing' ? undefined : loaded
}

function loadQuietly(): Sqlite | undefined {
  const emit = process.emitWarning
  // Loading is synchronous: no other warning can come in between.
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) Reflect.apply(emit, process, [warning, ...rest])
  }
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emit
  }
}
