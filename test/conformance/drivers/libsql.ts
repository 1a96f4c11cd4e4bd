import { type SqliteDatabase, sqliteProgram } from './sqlite-flows.ts'
import type { DriverProgram } from './driver-program.ts'

const opened: DriverProgram<SqliteDatabase> = sqliteProgram(({ file, load }) => {
  const Database = load('libsql') as new (file: string) => SqliteDatabase
  return new Database(file)
})

/** The package libsql. A row tells how long it took. */
export const program: DriverProgram<SqliteDatabase> = { ...opened, varies: /duration: [\d.e-]+/g }
