import { createClient, WatchError } from 'redis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { guardProcess } from '../../src/boundaries/contact/guard.ts'
import { replay } from '../../src/replay/replay.ts'
import { type Gate, startGate } from '../support/gate.ts'
import { recordRun } from '../support/record-run.ts'
import { type Service, startRedis } from '../support/services.ts'

let server: Service
let gate: Gate
beforeAll(async () => {
  server = await startRedis()
  gate = await startGate(server.port)
})
afterAll(async () => {
  await gate[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

// The first client of its class that the process replays: what its errors are has yet to be found out.
it('gives errors their class where the whole process is guarded, as in golden files', async () => {
  const agent = async (): Promise<unknown> => {
    const client = createClient({ socket: { host: '127.0.0.1', port: gate.port } })
    client.on('error', () => undefined)
    await client.connect()
    const log: unknown[] = []
    for (let tries = 0; tries < 3; tries += 1) {
      try {
        await client.watch('stock')
        const other = client.duplicate()
        await other.connect()
        if (tries === 0) await other.set('stock', '5')
        other.destroy()
        log.push(await client.multi().set('order', tries).exec())
        break
      } catch (error) {
        if (!(error instanceof WatchError)) throw error
        log.push('again')
      }
    }
    client.destroy()
    return log
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual(['again', ['OK']])
  gate.shut()
  const refused: unknown[] = []
  const release = guardProcess({ live: [], refuse: [], onRefused: (error) => refused.push(error) })
  for (let time = 0; time < 2; time += 1) {
    const run = await replay(trace, agent)
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
  release()
  expect([refused, gate.refused]).toEqual([[], 0])
})
