import { type SqliteDatabase, sqliteProgram } from './sqlite-flows.ts'
import type { DriverProgram } from './driver-program.ts'

/** The package better-sqlite3. */
export const program: DriverProgram<SqliteDatabase> = sqliteProgram(({ file, load }) => {
  const Database = load('better-sqlite3') as new (file: string) => SqliteDatabase
  return new Database(file)
})
