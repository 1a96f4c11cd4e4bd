import crypto from 'node:crypto'
import fs from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { MessageChannel as NodeMessageChannel, Worker } from 'node:worker_threads'
import zlib from 'node:zlib'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

export const look: (what: string) => Promise<string> = tool('look', {}, async (what: string) => what)
/** A file that agents read. */
export const file: URL = new URL(import.meta.url)

// A worker that was there before the run: the run only gives it work.
export const worker: Worker = new Worker(
  `const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ({ number, port }) => setTimeout(() => { port.postMessage(number * 2); port.close() }, 20))`,
  { eval: true },
)
worker.unref()

/** The smallest module that there is. */
const emptyModule = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])
const big = Buffer.alloc(1_000_000, 'some text ')

/** Work of an agent's own that takes many turns of the event loop. */
export const work: Readonly<Record<string, () => Promise<unknown>>> = {
  'reads a file in many pieces': async () => {
    const handle = await open(file)
    let length = 0
    for (;;) {
      const { bytesRead } = await handle.read(Buffer.alloc(64), 0, 64)
      if (bytesRead === 0) break
      length += bytesRead
    }
    await handle.close()
    return length === (await readFile(file)).length
  },
  'looks at a file by callback': () => promisify(fs.stat)(file).then((stats) => stats.isFile()),
  'gzips and gunzips': async () => (await promisify(zlib.gunzip)(await promisify(zlib.gzip)(big))).length,
  'compresses by brotli': async () => (await promisify(zlib.brotliCompress)(big.subarray(0, 100_000))).length > 0,
  'derives a key for long': async () => (await promisify(crypto.pbkdf2)('secret', 'salt', 100_000, 32, 'sha512')).toString('hex'),
  'derives a key by scrypt': async () =>
    (await promisify<string, string, number, crypto.ScryptOptions, Buffer>(crypto.scrypt)('secret', 'salt', 32, { cost: 4096 })).toString(
      'hex',
    ),
  'encrypts by subtle': async () => {
    const key = await crypto.subtle.importKey('raw', Buffer.alloc(32, 1), 'AES-GCM', false, ['encrypt'])
    return Buffer.from(await crypto.subtle.encrypt({ name: 'AES-GCM', iv: Buffer.alloc(12, 2) }, key, big))
      .subarray(0, 8)
      .toString('hex')
  },
  'digests by subtle': async () => Buffer.from(await crypto.subtle.digest('SHA-512', big)).toString('hex'),
  'makes a pair of keys': async () => (await promisify(crypto.generateKeyPair)('rsa', { modulusLength: 2048 })).publicKey.type,
  'compiles WebAssembly': async () => (await WebAssembly.compile(emptyModule)) instanceof WebAssembly.Module,
  'gives a worker work': () =>
    new Promise((resolve) => {
      const { port1, port2 } = new NodeMessageChannel()
      port1.once('message', resolve)
      worker.postMessage({ number: 21, port: port2 }, [port2])
    }),
}

/** Expects a replay to wait for work that is done three times at once. */
export async function expectWaitedFor(body: () => Promise<unknown>): Promise<void> {
  const agent = async (): Promise<unknown> => {
    const all = await Promise.all([body(), body(), body()])
    return [all.length, await look('a')]
  }
  const { trace } = await recordRun(agent)
  await expectClean(trace, agent)
}

/** Records an agent that works between its calls, and replays it so many times. */
export async function expectNotStuck(body: () => Promise<unknown>, times: number): Promise<void> {
  const agent = async (): Promise<unknown> => {
    const first = await look('a')
    const worked = await body()
    return [first, worked, await look('b'), (await body()) === worked, await look('c')]
  }
  const { trace } = await recordRun(agent)
  for (let time = 0; time < times; time += 1) await expectClean(trace, agent)
}
