// What the databases hold before the agents run.
import { mkdirSync, rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { Redis } from 'ioredis'
import { MongoClient } from 'mongodb'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'

export async function setUp() {
  const client = new pg.Client({ port: Number(process.env.POSTGRES_PORT), host: '127.0.0.1', user: 'postgres', database: 'postgres' })
  await client.connect()
  await client.query('CREATE TABLE orders (id text PRIMARY KEY, total numeric, placed timestamptz)')
  await client.query("INSERT INTO orders VALUES ('ord_1', 12.50, '2026-01-02T03:04:05Z'), ('ord_2', 3, NULL)")
  await client.end()

  const mysql = await createConnection({ host: '127.0.0.1', port: Number(process.env.MYSQL_PORT), user: 'root', multipleStatements: true })
  await mysql.query(
    "CREATE DATABASE shop; CREATE TABLE shop.orders (id varchar(20) PRIMARY KEY, total decimal(10, 2)); INSERT INTO shop.orders VALUES ('ord_1', 12.5), ('ord_2', 3)",
  )
  await mysql.end()

  const redis = new Redis(Number(process.env.REDIS_PORT), '127.0.0.1')
  await redis.mset('ord_1', 'packed', 'ord_2', 'paid')
  await redis.quit()

  const mongo = new MongoClient(`mongodb://127.0.0.1:${process.env.MONGO_PORT}/?directConnection=true`)
  await mongo
    .db('shop')
    .collection('orders')
    .insertMany([
      { _id: 'ord_1', total: 12.5, placed: new Date('2026-01-02T03:04:05Z') },
      { _id: 'ord_2', total: 3 },
    ])
  await mongo.close()

  rmSync('data', { recursive: true, force: true })
  mkdirSync('data')
  const sqlite = new Database('data/shop.db')
  sqlite.exec("CREATE TABLE orders (id text PRIMARY KEY, total real); INSERT INTO orders VALUES ('ord_1', 12.5), ('ord_2', 3)")
  sqlite.close()
}
