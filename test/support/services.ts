import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, globSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { createTemporaryDirectory } from './temporary-directory.ts'

/** A server that was started for a test, on a port of its own. */
export interface Service extends AsyncDisposable {
  readonly port: number
}

/** Starts Redis (Debian's package redis-server) with nothing in it. Waits until it answers, and until it is gone when it is disposed of. @param at Its port. Default: a free one. */
export async function startRedis(at?: number): Promise<Service> {
  const port = at ?? (await freePort())
  const directory = await createTemporaryDirectory()
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory.path], {
    stdio: 'ignore',
  })
  await untilReady(child, async () => {
    const client = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const [, pid] = /process_id:(\d+)/.exec(await client.info('server')) ?? []
      if (Number(pid) !== child.pid) throw new Error(`Port ${port} is that of another Redis.`)
    } finally {
      client.disconnect()
    }
  })
  return { port, [Symbol.asyncDispose]: () => stop(child, directory) }
}

/** Starts Postgres (Debian's package postgresql) with an empty database `postgres` and a user of that name without a password. */
export async function startPostgres(): Promise<Service> {
  const port = await freePort()
  const directory = await createTemporaryDirectory()
  const [bin = ''] = globSync('/usr/lib/postgresql/*/bin')
  // Postgres does not run as root.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u', 'postgres'), gid: idOf('-g', 'postgres') } : {}
  if (user.uid !== undefined) chownSync(directory.path, user.uid, user.gid)
  const data = `${directory.path}/data`
  const options = { ...user, stdio: 'ignore', cwd: directory.path } as const
  execFileSync(`${bin}/initdb`, ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync'], options)
  const child = spawn(`${bin}/postgres`, ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', directory.path, '-F'], options)
  await untilReady(child, async () => {
    const client = new pg.Client({ port, host: '127.0.0.1', user: 'postgres', database: 'postgres' })
    client.on('error', () => undefined)
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory')
    await client.end()
    if (rows[0]?.data_directory !== data) throw new Error(`Port ${port} is that of another Postgres.`)
  })
  return { port, [Symbol.asyncDispose]: () => stop(child, directory) }
}

/** Starts MariaDB (Debian's package mariadb-server) with an empty database `test` and a user `agent` without a password. */
export async function startMariadb(): Promise<Service> {
  const port = await freePort()
  const directory = await createTemporaryDirectory()
  // MariaDB does not run as root.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u', 'mysql'), gid: idOf('-g', 'mysql') } : {}
  if (user.uid !== undefined) chownSync(directory.path, user.uid, user.gid)
  const data = `${directory.path}/data`
  const options = { ...user, stdio: 'ignore', cwd: directory.path } as const
  // A server that starts removes the temporary tables of others from a folder that they share.
  const own = ['--no-defaults', `--datadir=${data}`, `--tmpdir=${directory.path}`]
  const setup = [...own, '--auth-root-authentication-method=normal', '--skip-test-db']
  execFileSync('mariadb-install-db', setup, options)
  const database = `${directory.path}/database.sql`
  writeFileSync(
    database,
    "CREATE DATABASE IF NOT EXISTS test;\nCREATE USER IF NOT EXISTS agent@'127.0.0.1';\nGRANT ALL ON *.* TO agent@'127.0.0.1';\n",
  )
  const server = [...own, `--port=${port}`, '--bind-address=127.0.0.1', `--socket=${directory.path}/socket`]
  const child = spawn('/usr/sbin/mariadbd', [...server, `--init-file=${database}`, '--skip-name-resolve', '--local-infile=1'], options)
  await untilReady(child, async () => {
    const client = await mysql.createConnection({ port, host: '127.0.0.1', user: 'agent', database: 'test' })
    const [rows] = await client.query<mysql.RowDataPacket[]>('SELECT @@datadir AS data')
    await client.end()
    if (rows[0]?.['data'] !== `${data}/`) throw new Error(`Port ${port} is that of another MariaDB.`)
  })
  return { port, [Symbol.asyncDispose]: () => stop(child, directory, 'SIGTERM') }
}

function idOf(which: '-u' | '-g', name: string): number {
  return Number(execFileSync('id', [which, name], { encoding: 'utf8' }))
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function untilReady(child: ChildProcess, ask: () => Promise<void>): Promise<void> {
  let failure: unknown
  child.once('error', (error) => (failure = error))
  for (let tries = 0; tries < 200; tries += 1) {
    if (failure !== undefined || child.exitCode !== null) break
    try {
      return await ask()
    } catch (error) {
      failure = child.exitCode === null ? undefined : error
    }
    await sleep(50)
  }
  child.kill()
  throw new Error(
    `${child.spawnfile} did not start. The tests of services need Debian's packages mariadb-server, postgresql and redis-server.`,
    {
      cause: failure,
    },
  )
}

async function stop(child: ChildProcess, directory: AsyncDisposable, signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
  if (child.exitCode === null) {
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  await directory[Symbol.asyncDispose]()
}
