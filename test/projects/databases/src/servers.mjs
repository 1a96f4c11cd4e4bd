// Real servers on ports of their own, each behind a gate: while it is shut, whoever connects is counted and sent away.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const gates = []
const servers = []
let isShut = false
let folder
let reached = 0

/** Starts PostgreSQL, Redis, MariaDB and a stand-in for MongoDB, and puts their addresses into the environment. */
export async function startServers() {
  // Not in the project, since other users have to get there.
  folder = mkdtempSync(path.join(tmpdir(), 'servers-'))
  chmodSync(folder, 0o755)
  const ports = {}
  for (const name of ['postgres', 'redis', 'mysql']) {
    mkdirSync(path.join(folder, name), { recursive: true })
    ports[name] = await freePort()
  }
  const [bin] = globSync('/usr/lib/postgresql/*/bin')
  const postgres = userOf('postgres', folder)
  execFileSync(`${bin}/initdb`, ['-D', `${folder}/postgres/data`, '-U', 'postgres', '--auth=trust', '--no-sync'], { ...postgres, cwd: '/' })
  start(
    `${bin}/postgres`,
    ['-D', `${folder}/postgres/data`, '-p', ports.postgres, '-h', '127.0.0.1', '-k', `${folder}/postgres`, '-F'],
    postgres,
  )
  start('redis-server', ['--port', ports.redis, '--bind', '127.0.0.1', '--save', '', '--dir', `${folder}/redis`])
  const mysql = userOf('mysql', folder)
  // A server that starts deletes temporary tables, of others as well.
  const data = ['--no-defaults', `--datadir=${folder}/mysql/data`, `--tmpdir=${folder}/mysql`]
  execFileSync('mariadb-install-db', [...data, '--auth-root-authentication-method=normal', '--skip-test-db'], { ...mysql, cwd: '/' })
  start(
    'mariadbd',
    [...data, `--port=${ports.mysql}`, '--bind-address=127.0.0.1', `--socket=${folder}/mysql/socket`, `--pid-file=${folder}/mysql/pid`],
    mysql,
  )
  ports.mongo = await startMongo()
  for (const port of Object.values(ports)) await untilOpen(port)
  for (const [name, port] of Object.entries(ports)) {
    const gate = await startGate(port)
    process.env[`${name.toUpperCase()}_PORT`] = String(gate)
  }
  await sleep(1000)
}

/** From now on, nobody gets to a server. */
export const shutGates = (shut = true) => (isShut = shut)

/** How many connections were sent away. */
export const countReached = () => reached

export async function stopServers() {
  for (const { server, sockets } of gates) {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  for (const child of servers) {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
  rmSync(folder, { recursive: true })
}

/** There is no mongod in Debian: a program of this repository speaks its protocol. It ends with its input. */
async function startMongo() {
  const options = ['--experimental-strip-types', '--no-warnings', process.env.MONGO_STAND_IN]
  const child = spawn(process.execPath, options, { stdio: ['pipe', 'pipe', 'inherit'] })
  servers.push(child)
  const [port] = await once(child.stdout, 'data')
  return Number(port)
}

function start(command, args, user = {}) {
  servers.push(spawn(command, args.map(String), { ...user, stdio: 'ignore', cwd: '/' }))
}

/** PostgreSQL and MariaDB do not run as root. */
function userOf(name, folder) {
  if (process.getuid() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((which) => Number(execFileSync('id', [which, name], { encoding: 'utf8' })))
  chownSync(path.join(folder, name === 'postgres' ? 'postgres' : 'mysql'), uid, gid)
  return { uid, gid, stdio: 'ignore' }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

async function untilOpen(port) {
  for (let tries = 0; tries < 200; tries += 1) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise((resolve) => socket.once('connect', () => resolve(true)).once('error', () => resolve(false)))
    socket.destroy()
    if (isOpen) return
    await sleep(50)
  }
  throw new Error(`No server at port ${port}.`)
}

async function startGate(port) {
  const sockets = new Set()
  const server = createServer((socket) => {
    if (isShut) {
      reached += 1
      return void socket.destroy()
    }
    const behind = connect(port, '127.0.0.1')
    for (const each of [socket, behind]) {
      sockets.add(each)
      each.on('error', () => undefined).on('close', () => sockets.delete(each))
    }
    socket.pipe(behind).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  gates.push({ server, sockets })
  return server.address().port
}
