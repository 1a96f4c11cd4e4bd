import { type DriverProgram, failure } from './driver-program.ts'

/** What drivers of SQLite that answer at once have in common. */
interface Statement {
  run(...values: unknown[]): unknown
  get(...values: unknown[]): unknown
  all(...values: unknown[]): unknown[]
  iterate(...values: unknown[]): Iterable<unknown>
}

export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): Statement
  close(): unknown
}

export const setUp = [
  'DROP TABLE IF EXISTS orders',
  'CREATE TABLE orders (id TEXT PRIMARY KEY, total REAL, photo BLOB)',
  "INSERT INTO orders VALUES ('ord_1', 12.5, x'00ff'), ('ord_2', 3, NULL)",
] as const

/** The flows of a driver of SQLite that answers at once. */
export const sqliteFlows: DriverProgram<SqliteDatabase>['flows'] = {
  query: (db) => [
    db.prepare('SELECT * FROM orders WHERE id = ?').get('ord_1'),
    db.prepare('SELECT * FROM orders WHERE id = ?').get('none'),
  ],
  prepared: (db) => {
    const statement = db.prepare('SELECT total FROM orders WHERE id = ?')
    return [statement.all('ord_1'), statement.all('ord_2')]
  },
  write: (db) => db.prepare('UPDATE orders SET total = total + ?').run(1),
  transaction: (db) => {
    db.exec('BEGIN')
    db.prepare('UPDATE orders SET total = total + 1').run()
    db.exec('ROLLBACK')
    return db.prepare('SELECT sum(total) AS sum FROM orders').get()
  },
  error: async (db) => [
    await failure(() => db.prepare("INSERT INTO orders (id) VALUES ('ord_1')").run()),
    await failure(() => db.prepare('SELECT nothing')),
  ],
  iterator: (db) => [...db.prepare('SELECT * FROM orders ORDER BY id').iterate()],
}

/** The program of a driver of SQLite that answers at once. */
export function sqliteProgram(open: DriverProgram<SqliteDatabase>['open']): DriverProgram<SqliteDatabase> {
  return {
    server: 'none',
    open,
    close: (db) => db.close(),
    prepare: (db) => setUp.forEach((sql) => db.exec(sql)),
    flows: sqliteFlows,
  }
}
