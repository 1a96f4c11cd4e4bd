import type { DriverProgram } from './driver-program.ts'
import { type SqliteDatabase, sqliteProgram } from './sqlite-flows.ts'

/** Node's own SQLite. */
export const program: DriverProgram<SqliteDatabase> = sqliteProgram(({ file, load }) => {
  const { DatabaseSync } = load('node:sqlite') as { readonly DatabaseSync: new (file: string) => SqliteDatabase }
  return new DatabaseSync(file)
})
