import type BetterSqliteModule from 'better-sqlite3'
import type LibsqlModule from 'libsql'
import type PromisedLibsqlModule from 'libsql/promise'
import { guardProcess } from '../../../src/boundaries/contact/guard.ts'

// Drivers are loaded with the doors open, as in golden files: what opens a file is taken hold of when they are loaded.
const release = guardProcess()
export const sqlite: typeof import('node:sqlite') = await import('node:sqlite')
export const BetterSqlite: typeof BetterSqliteModule = (await import('better-sqlite3')).default
export const Libsql: typeof LibsqlModule = (await import('libsql')).default
export const PromisedLibsql: typeof PromisedLibsqlModule = (await import('libsql/promise')).default
release()

/** A statement as all drivers of SQLite have it. */
export interface Statement {
  run(...values: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(...values: unknown[]): Record<string, unknown> | undefined
  all(...values: unknown[]): Record<string, unknown>[]
  iterate(...values: unknown[]): IterableIterator<Record<string, unknown>>
  columns(): readonly { readonly name: string }[]
}

/** What the drivers of SQLite have in common. */
export interface Database {
  exec(sql: string): unknown
  prepare(sql: string): Statement
  close(): unknown
}

export type Driver = readonly [label: string, open: (file: string) => Database]

/** The drivers, by the name that their steps begin with. */
export const drivers: readonly Driver[] = [
  ['sqlite', (file) => new sqlite.DatabaseSync(file)],
  ['better-sqlite3', (file) => new BetterSqlite(file)],
  ['libsql', (file) => new Libsql(file) as Database],
]
