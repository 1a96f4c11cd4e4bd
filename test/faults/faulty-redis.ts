import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Redis } from 'ioredis'
import { type Service, startRedis } from '../support/services.ts'
import { AWAY, type Fault } from './fault-kinds.ts'

/** A real Redis, and a way to it that misbehaves. */
export interface FaultyRedis extends AsyncDisposable {
  /** Of the way that misbehaves. */
  readonly url: string
  /** Of the Redis itself. */
  readonly direct: string
  /** Begins a fault. @param fault Default: ends every fault. */
  set(fault: Fault | undefined): Promise<void>
}

/** The faults that Redis itself can have. */
const commands: Readonly<Partial<Record<Fault, readonly (string | number)[]>>> = {
  refuse: ['ACL', 'SETUSER', 'default', '-@scripting'],
  full: ['CONFIG', 'SET', 'maxmemory', 1],
  // Of a master that nobody has.
  readOnly: ['REPLICAOF', '127.0.0.1', 1],
}
const ends: readonly (readonly (string | number)[])[] = [
  ['REPLICAOF', 'NO', 'ONE'],
  ['CONFIG', 'SET', 'maxmemory', 0],
  ['ACL', 'SETUSER', 'default', '+@all'],
]

/** Starts one on ports of the system. */
export async function startFaultyRedis(): Promise<FaultyRedis> {
  const server: Service = await startRedis()
  const admin = new Redis(server.port, '127.0.0.1')
  await admin.call('ACL', 'SETUSER', 'admin', 'on', 'nopass', '~*', '+@all')
  await admin.call('AUTH', 'admin', 'none')
  const way = new FaultyWay(server.port)
  await way.listen()
  return {
    url: `redis://127.0.0.1:${way.port}`,
    direct: `redis://127.0.0.1:${server.port}`,
    async set(fault) {
      way.set(fault)
      for (const [name = '', ...args] of fault === undefined ? ends : [commands[fault] ?? ['PING']]) await admin.call(String(name), ...args)
    },
    async [Symbol.asyncDispose]() {
      admin.disconnect()
      await way.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** How often an answer or a write goes wrong before all is well again. */
const TIMES = 2

/** After how many answers a connection breaks that breaks again and again. A new one needs three before a log is sent. */
const FLAP = 5

/** Passes on what a client and Redis say to each other, or not. */
class FaultyWay {
  readonly #redis: number
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((client) => this.#accept(client))
  #fault: Fault | undefined
  #times = 0
  #since: number | undefined

  constructor(redis: number) {
    this.#redis = redis
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async listen(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
  }

  set(fault: Fault | undefined): void {
    this.#fault = fault
    this.#times = 0
    this.#since = undefined
    if (this.#isAway()) for (const socket of this.#sockets) socket.destroy()
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #isAway(): boolean {
    if (this.#fault === 'restart') return performance.now() - (this.#since ??= performance.now()) < AWAY
    return this.#fault === 'gone'
  }

  /** Whether it is one of the first times. */
  #isOneOfFew(): boolean {
    this.#times += 1
    return this.#times <= TIMES
  }

  #accept(client: Socket): void {
    if (this.#isAway()) return void client.destroy()
    const redis = connect(this.#redis, '127.0.0.1')
    const end = (): void => [client, redis].forEach((socket) => socket.destroy())
    for (const socket of [client, redis]) {
      this.#sockets.add(socket)
      socket.on('error', end).on('close', () => {
        this.#sockets.delete(socket)
        end()
      })
    }
    client.on('data', (bytes) => this.#ask(bytes, client, redis, end))
    redis.on('data', (bytes) => this.#answer(bytes, client, end))
  }

  #ask(bytes: Buffer, client: Socket, redis: Socket, end: () => void): void {
    if (this.#fault === 'hang') return
    if (this.#fault === 'nonsense') return void client.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<html>Sign in</html>')
    if (this.#fault === 'halfWrite' && bytes.includes('XADD') && this.#isOneOfFew())
      return void redis.write(bytes.subarray(0, bytes.length >>> 1), end)
    redis.write(bytes)
  }

  #answer(bytes: Buffer, client: Socket, end: () => void): void {
    if (this.#fault === 'slow') return void setTimeout(() => client.write(bytes), 30)
    if (this.#fault === 'lostAnswer' && this.#isOneOfFew()) return end()
    if (this.#fault === 'cutAnswer' && this.#isOneOfFew()) return void client.write(bytes.subarray(0, bytes.length >>> 1), end)
    if (this.#fault === 'flap' && (this.#times += 1) % FLAP === 0) return end()
    client.write(bytes)
  }
}
