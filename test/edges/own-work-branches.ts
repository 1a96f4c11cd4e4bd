import { scrypt } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { gzip } from 'node:zlib'
import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { external } from '../../src/run/external.ts'
import { live } from '../../src/run/live.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
const read = external('read', async (id: number) => (await pause(1), id))
const write = tool('write', { effect: 'write' }, async (id: number) => (await pause(1), id))

const code = "require('node:worker_threads').parentPort.postMessage('thought')"
const text = Buffer.from('some text '.repeat(20_000))
export const works: Readonly<Record<string, () => Promise<unknown>>> = {
  'a key': () => new Promise((resolve) => scrypt('a', 'b', 16, { N: 1024 }, resolve)),
  'a longer key': () => new Promise((resolve) => scrypt('a', 'b', 16, { N: 8192 }, resolve)),
  compression: () => promisify(gzip)(text),
  'a file': () => readFile(import.meta.filename),
  'a live call': () => live('reads a file', () => readFile(import.meta.filename)),
  'a worker': () => live('thinks in a worker', async () => await once(new Worker(code, { eval: true }), 'message')),
  'a file, then compression': async () => await promisify(gzip)(await readFile(import.meta.filename)),
}

type Named = readonly [name: string, work: () => Promise<unknown>]

/** Tests agents whose branches do such work. */
export function testOwnWork(named: readonly Named[]): void {
  it.each(named)('is green for parallel branches that work on their own between two calls: %s', async (_, work) => {
    const agent = async (): Promise<unknown> =>
      await Promise.all(
        [0, 1, 2].map(async (branch) => {
          await read(branch)
          await work()
          await write(branch)
          await work()
          return await read(10 + branch)
        }),
      )
    for (let recording = 0; recording < 3; recording += 1) {
      const { trace } = await recordRun(agent)
      for (let time = 0; time < 3; time += 1) await expectClean(trace, agent)
    }
  })

  it.each(named)('is red for two writes that changed places behind work of its own: %s', async (_, work) => {
    const agentOf = (first: number, second: number) => async () => {
      await read(0)
      await work()
      await write(first)
      await work()
      await write(second)
    }
    const { trace } = await recordRun(agentOf(1, 2))
    await expectClean(trace, agentOf(1, 2))
    expect((await replay(trace, agentOf(2, 1))).divergences[0]).toMatchObject({ cause: 'order' })
  })

  it.each(named)('is red for a branch whose write now comes before its read, beside work of another: %s', async (_, work) => {
    const agentOf = (isEarly: boolean) => async () => {
      const beside = (async () => {
        for (let time = 0; time < 4; time += 1) await work()
      })()
      if (isEarly) await write(1)
      await read(1)
      if (!isEarly) await write(1)
      await beside
    }
    const { trace } = await recordRun(agentOf(false))
    await expectClean(trace, agentOf(false))
    expect((await replay(trace, agentOf(true))).divergences[0]).toMatchObject({ cause: 'order' })
  })

  it.each(named)('is red for calls that moved into parallel branches which work, or over them: %s', async (_, work) => {
    const branch = async (id: number): Promise<void> => (await work(), void (await write(id)))
    const both = (): Promise<unknown> => Promise.all([branch(2), branch(3)])
    const { trace } = await recordRun(async () => (await write(1), await both(), await write(5), await write(6)))
    const changed: readonly (() => Promise<unknown>)[] = [
      async () => (await write(1), await Promise.all([branch(2), branch(3), write(5)]), await write(6)),
      async () => {
        await write(1)
        const left = both()
        await write(5)
        await left
        await write(6)
      },
    ]
    for (const agent of changed) expect((await replay(trace, agent)).divergences[0]).toMatchObject({ cause: 'order' })
  })

  it.each(named)('is red for a last call that is no longer awaited, behind branches which work: %s', async (_, work) => {
    const branch = async (id: number): Promise<void> => (await write(id), await work(), void (await write(10 + id)))
    const agentOf = (isAwaited: boolean) => async () => {
      await Promise.all([branch(1), branch(2)])
      await write(8)
      const last = write(9)
      if (isAwaited) await last
    }
    const { trace } = await recordRun(agentOf(true))
    await expectClean(trace, agentOf(true))
    for (let time = 0; time < 5; time += 1) {
      expect((await replay(trace, agentOf(false))).divergences).toMatchObject([{ cause: 'order', name: 'write' }])
    }
  })
}
