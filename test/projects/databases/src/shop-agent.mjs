// The usual agents of a server: their clients are opened when the module loads, and used by every run.
import { DatabaseSync } from 'node:sqlite'
import { createClient as createLibsql } from '@libsql/client'
import Database from 'better-sqlite3'
import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import createPostgres from 'postgres'
import { createClient } from 'redis'

const { POSTGRES_PORT = '1', MYSQL_PORT = '1', REDIS_PORT = '1', MONGO_PORT = '1' } = process.env
const postgres = { port: Number(POSTGRES_PORT), host: '127.0.0.1', user: 'postgres', database: 'postgres' }
const pool = new pg.Pool(postgres)
const client = new pg.Client(postgres)
const mysql = createPool({ port: Number(MYSQL_PORT), host: '127.0.0.1', user: 'root', database: 'shop' })
const ioredis = new Redis(Number(REDIS_PORT), '127.0.0.1')
const redis = createClient({ url: `redis://127.0.0.1:${REDIS_PORT}` })
const sql = createPostgres(postgres)
const mongo = new MongoClient(`mongodb://127.0.0.1:${MONGO_PORT}/?directConnection=true`)
const orders = mongo.db('shop').collection('orders')
const betterSqlite = new Database('data/shop.db')
const findOrder = betterSqlite.prepare('SELECT * FROM orders WHERE id = ?')
const nodeSqlite = new DatabaseSync('data/shop.db')
const libsql = createLibsql({ url: 'file:data/shop.db' })
// CommonJS has no `await` at the top of a module.
const ready = Promise.all([client.connect(), redis.connect()])

export async function onPg(id) {
  await ready
  const [order, count] = await Promise.all([
    pool.query('SELECT * FROM orders WHERE id = $1', [id]),
    client.query('SELECT count(*)::int AS n FROM orders'),
  ])
  const changed = await client.query({
    name: 'add',
    text: 'UPDATE orders SET total = total + 1 WHERE id = $1 RETURNING total',
    values: [id],
  })
  return [order.rows[0].placed.toISOString(), count.rows, changed.rows, changed.rowCount]
}

export async function onMysql(id) {
  const [[order], [changed]] = await Promise.all([
    mysql.execute('SELECT * FROM orders WHERE id = ?', [id]),
    mysql.query('UPDATE orders SET total = 1 WHERE id = ?', [id]),
  ])
  return [order[0].total, changed.affectedRows]
}

export async function onIoredis(id) {
  const both = await Promise.all([ioredis.get(id), ioredis.incr('visits')])
  const failed = await ioredis.lpush(id, 'x').catch((error) => error.message)
  return [both, failed]
}

export async function onRedis(id) {
  await ready
  const both = await Promise.all([redis.get(id), redis.hSet('cart', 'tea', '2')])
  return [both, await redis.hGetAll('cart')]
}

export async function onPostgres(id) {
  const [order] = await sql`SELECT * FROM orders WHERE id = ${id}`
  const changed = await sql.begin((transaction) => transaction`UPDATE orders SET total = total + 1 WHERE id = ${id} RETURNING total`)
  return [order.placed.toISOString(), changed, changed.count]
}

export async function onMongodb(id) {
  const order = await orders.findOne({ _id: id })
  const { modifiedCount } = await orders.updateOne({ _id: id }, { $inc: { total: 1 } })
  return [order, modifiedCount]
}

export async function onBetterSqlite(id) {
  const order = findOrder.get(id)
  const raise = betterSqlite.transaction((by) => betterSqlite.prepare('UPDATE orders SET total = total + ? WHERE id = ?').run(by, id))
  return [order, raise(1).changes]
}

export async function onNodeSqlite(id) {
  const rows = [...nodeSqlite.prepare('SELECT * FROM orders ORDER BY id').iterate()]
  const { changes } = nodeSqlite.prepare('UPDATE orders SET total = total + 1 WHERE id = ?').run(id)
  return [rows, changes]
}

export async function onLibsql(id) {
  const { rows } = await libsql.execute({ sql: 'SELECT * FROM orders WHERE id = ?', args: [id] })
  const [changed] = await libsql.batch([{ sql: 'UPDATE orders SET total = total + 1 WHERE id = ?', args: [id] }], 'write')
  return [rows, changed.rowsAffected]
}

export async function close() {
  for (const database of [betterSqlite, nodeSqlite, libsql]) database.close()
  await Promise.all([pool.end(), client.end(), mysql.end(), ioredis.quit(), redis.close(), sql.end(), mongo.close()])
}
