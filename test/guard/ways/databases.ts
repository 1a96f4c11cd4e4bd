import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import BetterSqlite from 'better-sqlite3'
import Libsql from 'libsql'
import { leaveWord, type Way, type World } from '../way.ts'

/** The part of a database that all three have. */
interface Database {
  exec(sql: string): unknown
  prepare(sql: string): { run(...values: unknown[]): unknown; all(...values: unknown[]): unknown }
  close(): unknown
}

const drivers: Readonly<Record<string, (file: string) => Database>> = {
  'node:sqlite': (file) => new DatabaseSync(file),
  'better-sqlite3': (file) => new BetterSqlite(file),
  libsql: (file) => new Libsql(file),
}

/** What is done to a database that has a file; it counts where its file is another afterwards. */
function onDatabase(driver: string, name: string, take: (database: Database, world: World) => unknown): Way {
  return {
    name: `${name} of ${driver}`,
    needs: [],
    before(world) {
      const database = drivers[driver]?.(fileOf(world))
      database?.exec('CREATE TABLE IF NOT EXISTS orders (id)')
      return database
    },
    async take(world, database: Database) {
      const before = digestOf(world)
      try {
        await take(database, world)
      } finally {
        if (digestOf(world) !== before) leaveWord(world)
      }
    },
  }
}

function fileOf({ folder }: World): string {
  return path.join(folder, 'orders.db')
}

function digestOf(world: World): string {
  return createHash('sha256')
    .update(readFileSync(fileOf(world)))
    .digest('hex')
}

const insert = "INSERT INTO orders VALUES ('ord_1')"

/** What databases in the process write to their files. */
export const databaseWays: readonly Way[] = [
  ...Object.keys(drivers).flatMap((driver) => [
    onDatabase(driver, 'exec', (database) => database.exec(insert)),
    onDatabase(driver, 'a statement', (database) => database.prepare(insert).run()),
    onDatabase(driver, 'a row that is given back', (database) => database.prepare(`${insert} RETURNING id`).all()),
    onDatabase(driver, 'a transaction', (database) => database.exec(`BEGIN; ${insert}; COMMIT`)),
    onDatabase(driver, 'a pragma', (database) => database.exec('PRAGMA user_version = 7')),
    {
      ...onDatabase(driver, 'a database that the run opens', (_database, world) => {
        const own = drivers[driver]?.(fileOf(world))
        own?.exec(insert)
        own?.close()
      }),
    },
    {
      name: `a statement of ${driver} that was prepared before`,
      needs: [],
      before(world: World) {
        const database = drivers[driver]?.(fileOf(world))
        database?.exec('CREATE TABLE IF NOT EXISTS orders (id)')
        return database?.prepare(insert)
      },
      async take(world: World, statement: { run(): unknown }) {
        const before = digestOf(world)
        statement.run()
        if (digestOf(world) !== before) leaveWord(world)
      },
    } satisfies Way,
  ]),
  {
    name: 'a copy of a database of node:sqlite',
    needs: [],
    isMissing: () => !('backup' in process.getBuiltinModule('node:sqlite')),
    before: () => new DatabaseSync(':memory:'),
    async take({ folder }, database: DatabaseSync) {
      const sqlite = process.getBuiltinModule('node:sqlite') as unknown as { backup(from: DatabaseSync, to: string): Promise<number> }
      await sqlite.backup(database, path.join(folder, 'written-copy.db'))
    },
  },
  {
    name: 'a copy of a database of better-sqlite3',
    needs: [],
    before: () => new BetterSqlite(':memory:'),
    take: ({ folder }, database: BetterSqlite.Database) => database.backup(path.join(folder, 'written-copy.db')),
  },
  {
    name: 'a database that one in memory attaches',
    needs: [],
    before: () => new DatabaseSync(':memory:'),
    async take({ folder }, database: DatabaseSync) {
      const file = path.join(folder, 'written-attached.db')
      database.exec(`ATTACH '${file}' AS other; CREATE TABLE other.orders (id); INSERT INTO other.orders VALUES (1); DETACH other`)
    },
  },
]
