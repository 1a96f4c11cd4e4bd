import { processWide } from './process-wide.ts'

const own = processWide('own-databases', () => new WeakSet<object>())

/** Says that a database in this process is goldenrun's own: what is asked of it belongs to no run and to no test. */
export function claimDatabase(database: object): void {
  own.add(database)
}

/** Whether a database is goldenrun's own. */
export function isOwnDatabase(database: object): boolean {
  return own.has(database)
}
