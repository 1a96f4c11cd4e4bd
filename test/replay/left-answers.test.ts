import { pbkdf2 } from 'node:crypto'
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LocalServer, listen } from '../../examples/world/listen.ts'
import { renderDivergences } from '../../src/divergence/create-report.ts'
import { replay } from '../../src/replay/replay.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

const save = tool('save', { effect: 'write' }, async (text: string) => text)
const look = tool('look', { effect: 'read' }, async (id: number) => (await sleep(1), id))

let server: LocalServer

beforeAll(async () => {
  server = await listen(async (_request, response) => {
    for (let piece = 0; piece < 7 && !response.destroyed; piece += 1) {
      response.write(`piece ${piece}\n`)
      await sleep(2)
    }
    response.end()
  })
})

afterAll(async () => await server.close())

/** Reads a stream up to a piece, with something to do for each part that arrives, and leaves it. */
type Leave = (last: number, each?: () => Promise<unknown>) => Promise<unknown>

const hash = async (rounds: number): Promise<unknown> => await promisify(pbkdf2)('secret', 'salt', rounds, 16, 'sha256')

const nothing = async (): Promise<void> => undefined

/** Whether a piece is among what has arrived. */
const isIn = (arrived: readonly Uint8Array[], piece: number): boolean => Buffer.concat(arrived).includes(`piece ${piece}\n`)

const ways: Readonly<Record<string, Leave>> = {
  async 'a loop over the body of a fetch'(last, each = nothing) {
    const { body } = await fetch(server.url)
    const arrived: Uint8Array[] = []
    for await (const part of body ?? []) {
      arrived.push(part)
      await each()
      if (isIn(arrived, last)) break
    }
    return await save('left')
  },
  async 'a signal'(last, each = nothing) {
    const leaving = new AbortController()
    const { body } = await fetch(server.url, { signal: leaving.signal })
    const reader = body?.getReader()
    const arrived: Uint8Array[] = []
    while (!isIn(arrived, last)) {
      arrived.push((await reader?.read())?.value ?? new Uint8Array())
      await each()
    }
    leaving.abort()
    return await save('left')
  },
  async 'http.request'(last, each = nothing) {
    const response = await new Promise<http.IncomingMessage>((resolve) => http.get(server.url, resolve))
    const arrived: Uint8Array[] = []
    for await (const part of response) {
      arrived.push(part as Uint8Array)
      await each()
      if (isIn(arrived, last)) break
    }
    return await save('left')
  },
}

it.each(Object.entries(ways))('is red where a stream that was left is left after fewer pieces: %s', async (_of, leave) => {
  const { trace } = await recordRun(() => leave(4))
  await expectClean(trace, () => leave(4))
  const run = await replay(trace, () => leave(2))
  expect(run.divergences).toMatchObject([{ cause: 'outcome', step: 1, position: 'at' }])
  expect(renderDivergences(run, { color: false, width: 120 })).toMatch(
    /The agent stopped reading this answer after \d pieces?, but the recorded run did after \d pieces\.\n +expected  left after/,
  )
})

it('is red where a stream that was left is read further', async () => {
  const leave = ways['a loop over the body of a fetch'] ?? nothing
  const { trace } = await recordRun(() => leave(2))
  expect((await replay(trace, () => leave(4))).divergences).not.toEqual([])
})

it.each(Object.entries(ways))(
  'is green for an unchanged agent that leaves a stream, whatever it does for each piece: %s',
  async (_of, leave) => {
    const doings: (() => Promise<unknown>)[] = [
      nothing,
      async () => await look(1),
      async () => await new Promise((resolve) => setImmediate(resolve)),
      async () => await sleep(3),
      async () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5),
      async () => await hash(10_000),
    ]
    for (const each of doings) {
      const { trace } = await recordRun(() => leave(4, each))
      for (let time = 0; time < 2; time += 1) expect((await replay(trace, () => leave(4, each))).divergences).toEqual([])
    }
  },
)

it('does not compare how long own work of the run took when more pieces had arrived in the recording', async () => {
  const leave = ways['a signal'] ?? nothing
  const { trace } = await recordRun(() => leave(2, async () => await hash(60_000)))
  for (let time = 0; time < 5; time += 1) expect((await replay(trace, () => leave(2, async () => await hash(1)))).divergences).toEqual([])
})
