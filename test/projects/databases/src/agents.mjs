// Agents as the documentation of their drivers and frameworks has them: nothing in them knows of goldenrun. Each looks up an order and changes it.
const plain = (value) => JSON.parse(JSON.stringify(value))
const mysqlUrl = () => `mysql://root@127.0.0.1:${process.env.MYSQL_PORT}/shop`
const redisUrl = () => `redis://127.0.0.1:${process.env.REDIS_PORT}`
const postgresUrl = () => `postgres://postgres@127.0.0.1:${process.env.POSTGRES_PORT}/postgres`

export const agents = {
  async pg(id) {
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ connectionString: postgresUrl() })
    const { rows } = await pool.query('SELECT * FROM orders WHERE id = $1', [id])
    const client = await pool.connect()
    await client.query('BEGIN')
    const { rowCount } = await client.query('UPDATE orders SET total = total + $2 WHERE id = $1', [id, 1])
    await client.query('COMMIT')
    client.release()
    await pool.end()
    return plain([rows, rowCount])
  },
  async postgres(id) {
    const { default: postgres } = await import('postgres')
    const sql = postgres(postgresUrl())
    const [order] = await sql`SELECT * FROM orders WHERE id = ${id}`
    const changed = await sql.begin(
      (tx) => tx`UPDATE orders ${'SET'.length > 0 ? tx`SET total = total + 1` : tx``} WHERE id = ${id} RETURNING total`,
    )
    await sql.end()
    return plain([order, changed])
  },
  async 'Kysely on pg'(id) {
    const [{ Kysely, PostgresDialect }, { default: pg }] = [await import('kysely'), await import('pg')]
    const db = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: postgresUrl() }) }) })
    const order = await db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()
    const changed = await db
      .transaction()
      .execute((tx) => tx.updateTable('orders').set({ total: 5 }).where('id', '=', id).returning('total').execute())
    await db.destroy()
    return plain([order, changed])
  },
  async 'Drizzle on pg'(id) {
    const [{ drizzle }, { pgTable, text, numeric }, { eq }, { default: pg }] = [
      await import('drizzle-orm/node-postgres'),
      await import('drizzle-orm/pg-core'),
      await import('drizzle-orm'),
      await import('pg'),
    ]
    const orders = pgTable('orders', { id: text('id').primaryKey(), total: numeric('total') })
    const pool = new pg.Pool({ connectionString: postgresUrl() })
    const db = drizzle(pool)
    const found = await db.select().from(orders).where(eq(orders.id, id))
    const changed = await db.transaction((tx) => tx.update(orders).set({ total: '6' }).where(eq(orders.id, id)).returning())
    await pool.end()
    return plain([found, changed])
  },
  async 'LangGraph with a checkpointer on Postgres'(id) {
    const { Annotation, END, START, StateGraph } = await import('@langchain/langgraph')
    const { PostgresSaver } = await import('@langchain/langgraph-checkpoint-postgres')
    const checkpointer = PostgresSaver.fromConnString(postgresUrl())
    await checkpointer.setup()
    const State = Annotation.Root({
      id: Annotation(),
      notes: Annotation({ reducer: (left, right) => [...left, ...right], default: () => [] }),
    })
    const graph = new StateGraph(State)
      .addNode('look_up', ({ id: order }) => ({ notes: [`looked up ${order}`] }))
      .addNode('refund', ({ id: order }) => ({ notes: [`refunded ${order}`] }))
      .addEdge(START, 'look_up')
      .addEdge('look_up', 'refund')
      .addEdge('refund', END)
      .compile({ checkpointer })
    const config = { configurable: { thread_id: `thread of ${id}` } }
    const first = await graph.invoke({ id }, config)
    const second = await graph.invoke({ id }, config)
    const { values } = await graph.getState(config)
    await checkpointer.end()
    return plain([first.notes.length, second.notes, values])
  },
  async mysql2(id) {
    const { createPool } = await import('mysql2/promise')
    const pool = createPool(mysqlUrl())
    const [orders] = await pool.execute('SELECT * FROM orders WHERE id = ?', [id])
    const connection = await pool.getConnection()
    await connection.beginTransaction()
    const [{ affectedRows }] = await connection.query('UPDATE orders SET total = total + ? WHERE id = ?', [1, id])
    await connection.commit()
    connection.release()
    await pool.end()
    return plain([orders, affectedRows])
  },
  async ioredis(id) {
    const { Redis } = await import('ioredis')
    const client = new Redis(redisUrl())
    const before = await client.get(id)
    const piped = await client.pipeline().incr('visits').hset('cart', { tea: 2 }).hgetall('cart').exec()
    const both = await client.multi().set(id, 'shipped').get(id).exec()
    const failed = await client.lpush(id, 'x').catch((error) => [error.name, error.message])
    await client.quit()
    return plain([before, piped, both, failed])
  },
  async redis(id) {
    const { createClient } = await import('redis')
    const client = await createClient({ url: redisUrl() }).connect()
    const before = await client.get(id)
    const both = await client.multi().set(id, 'packed').hGetAll('cart').exec()
    const failed = await client.lPush(id, 'x').catch((error) => error.message)
    await client.close()
    return plain([before, both, failed])
  },
  async mongodb(id) {
    const { MongoClient } = await import('mongodb')
    const client = new MongoClient(`mongodb://127.0.0.1:${process.env.MONGO_PORT}/?directConnection=true`)
    const orders = client.db('shop').collection('orders')
    const order = await orders.findOne({ _id: id })
    const { modifiedCount } = await orders.updateOne({ _id: id }, { $inc: { total: 1 } })
    const listed = await orders.find({ total: { $gt: 1 } }, { batchSize: 1 }).toArray()
    const failed = await orders.insertOne({ _id: id }).catch((error) => [error.name, error.code])
    await client.close()
    return plain([order, modifiedCount, listed, failed])
  },
  async 'node:sqlite'(id) {
    const { default: sqlite } = await import('node:sqlite')
    const db = new sqlite.DatabaseSync('data/shop.db')
    const order = db.prepare('SELECT * FROM orders WHERE id = ?').get(id)
    db.exec('BEGIN')
    const { changes } = db.prepare('UPDATE orders SET total = total + ? WHERE id = ?').run(2, id)
    db.exec('COMMIT')
    const rows = [...db.prepare('SELECT id FROM orders ORDER BY id').iterate()]
    db.close()
    return plain([order, changes, rows])
  },
  async 'better-sqlite3'(id) {
    const { default: Database } = await import('better-sqlite3')
    const db = new Database('data/shop.db')
    const order = db.prepare('SELECT * FROM orders WHERE id = ?').get(id)
    const raise = db.transaction((by) => db.prepare('UPDATE orders SET total = total + ? WHERE id = ?').run(by, id))
    const { changes } = raise(2)
    const rows = [...db.prepare('SELECT id FROM orders ORDER BY id').iterate()]
    db.close()
    return plain([order, changes, rows])
  },
  async 'Drizzle on better-sqlite3'(id) {
    const [{ drizzle }, { sqliteTable, text, real }, { eq }, { default: Database }] = [
      await import('drizzle-orm/better-sqlite3'),
      await import('drizzle-orm/sqlite-core'),
      await import('drizzle-orm'),
      await import('better-sqlite3'),
    ]
    const orders = sqliteTable('orders', { id: text('id').primaryKey(), total: real('total') })
    const client = new Database('data/shop.db')
    const db = drizzle(client)
    const found = db.select().from(orders).where(eq(orders.id, id)).all()
    const changed = db.transaction((tx) => tx.update(orders).set({ total: 9 }).where(eq(orders.id, id)).returning().all())
    client.close()
    return plain([found, changed])
  },
  async '@libsql/client'(id) {
    const { createClient } = await import('@libsql/client')
    const client = createClient({ url: 'file:data/shop.db' })
    const { rows } = await client.execute({ sql: 'SELECT * FROM orders WHERE id = ?', args: [id] })
    const [changed] = await client.batch([{ sql: 'UPDATE orders SET total = total + 1 WHERE id = ?', args: [id] }], 'write')
    client.close()
    return plain([rows, changed.rowsAffected])
  },
  async 'Mastra with memory on libSQL'(id) {
    const [{ Memory }, { LibSQLStore }] = [await import('@mastra/memory'), await import('@mastra/libsql')]
    const memory = new Memory({ storage: new LibSQLStore({ id: 'memory', url: 'file:data/memory.db' }), options: { lastMessages: 5 } })
    const thread = await memory.createThread({ resourceId: `customer of ${id}`, title: id })
    const message = (text) => ({
      id: crypto.randomUUID(),
      role: 'user',
      threadId: thread.id,
      resourceId: thread.resourceId,
      createdAt: new Date(),
      type: 'text',
      content: { format: 2, parts: [{ type: 'text', text }] },
    })
    await memory.saveMessages({ messages: [message(`Where is ${id}?`), message('It is late.')] })
    const { messages } = await memory.recall({ threadId: thread.id, resourceId: thread.resourceId })
    return plain([thread.title, messages.map(({ content }) => content.parts[0].text)])
  },
}
