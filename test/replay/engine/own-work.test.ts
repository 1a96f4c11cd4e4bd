import { once } from 'node:events'
import { exec } from 'node:child_process'
import crypto from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

const look = tool('look', {}, async (order: string) => order)
const file = new URL(import.meta.url)

/** Work that an agent does itself, and that a replay has to wait for. */
const work: Readonly<Record<string, () => Promise<unknown>>> = {
  'reads a file': async () => (await readFile(file)).length > 0,
  'reads a file as a blob': async () => (await (await openAsBlob(file)).text()).length > 0,
  'looks at a file': async () => (await stat(file)).isFile(),
  'reads a file as a stream': async () => {
    let length = 0
    await pipeline(createReadStream(file), async (source) => {
      for await (const piece of source) length += (piece as Buffer).length
    })
    return length > 0
  },
  compresses: async () => (await promisify(zlib.gzip)('text '.repeat(10_000))).length > 0,
  'compresses as a stream': async () => {
    let length = 0
    const gzip = zlib.createGzip()
    gzip.end(Buffer.alloc(200_000, 'a'))
    for await (const piece of gzip) length += (piece as Buffer).length
    return length > 0
  },
  'derives a key': async () => (await promisify(crypto.pbkdf2)('secret', 'salt', 20_000, 16, 'sha256')).toString('hex'),
  hashes: async () => Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from('text'))).toString('hex'),
  'waits for an immediate': async () => new Promise((resolve) => setImmediate(() => setImmediate(() => resolve('later')))),
  'is sent a message': async () => {
    const { port1, port2 } = new MessageChannel()
    const received = once(port2, 'message').then(([event]) => event.data)
    port1.postMessage('hello')
    const message = await received
    port1.close()
    return message
  },
}

for (const [name, body] of Object.entries(work)) {
  it(`waits for an agent that ${name} between its calls`, async () => {
    const agent = async (): Promise<unknown> => [await look('a'), await body(), await look('b'), await body()]
    const { trace } = await recordRun(agent)
    for (let time = 0; time < 3; time += 1) await expectClean(trace, agent)
  })
}

it('waits for a module that the agent loads within the run', async () => {
  const { trace } = await recordRun(async () => {
    await look('a')
    return ['Hello', await look('b')]
  })
  const run = await replay(trace, async () => {
    await look('a')
    const { greeting } = await import('./loaded-late.ts')
    return [greeting, await look('b')]
  })
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: ['Hello', 'b'] }])
})

it('refuses a program that the agent starts', async () => {
  const { trace } = await recordRun(async () => await look('a'))
  const run = await replay(trace, async () => {
    await promisify(exec)('true').catch(() => undefined)
    return await look('a')
  })
  expect(run.divergences[0]).toMatchObject({ cause: 'unexpected-call', name: 'process true' })
})
