import { readFile } from 'node:fs/promises'
import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { external } from '../../src/run/external.ts'
import { live } from '../../src/run/live.ts'
import { tool } from '../../src/run/tool.ts'
import { createRandom } from '../support/random.ts'
import { recordRun } from '../support/record-run.ts'
import { testOwnWork, works } from './own-work-branches.ts'

testOwnWork(Object.entries(works).filter(([name]) => name !== 'a key' && name !== 'a live call'))

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
const read = external('read', async (id: string) => (await pause(1), id))
const write = tool('write', { effect: 'write' }, async (id: string) => (await pause(1), id))
const look = external('look', (id: string) => id)
const text = Buffer.from('some text '.repeat(20_000))

/** What a branch does, one after the other. */
const acts: readonly ((id: string) => unknown)[] = [
  read,
  write,
  look,
  (id) => checkpoint(id, 1),
  () => new Promise((resolve) => scrypt('a', 'b', 16, { N: 1024 }, resolve)),
  () => promisify(gzip)(text),
  () => readFile(import.meta.filename),
  () => live('reads', () => readFile(import.meta.filename)),
]

const seed = Number(process.env['GOLDENRUN_SEED'] ?? Date.now())

it(`is green for any parallel branches that work on their own (GOLDENRUN_SEED=${seed})`, { timeout: 300_000 }, async () => {
  const random = createRandom(seed)
  const wrong: unknown[] = []
  for (let agents = 0; agents < 60; agents += 1) {
    const branches = Array.from({ length: random.whole(2, 4) }, () =>
      Array.from({ length: random.whole(2, 5) }, () => random.whole(0, acts.length - 1)),
    )
    const agent = async (): Promise<void> => {
      const go = async (branch: readonly number[], at: number): Promise<void> => {
        for (const [index, act] of branch.entries()) await acts[act]?.(`${at}.${index}`)
      }
      await Promise.all(branches.map(go))
    }
    const { trace } = await recordRun(agent)
    for (let time = 0; time < 5; time += 1) {
      const { divergences } = await replay(trace, agent)
      if (divergences.length > 0) wrong.push({ branches: JSON.stringify(branches), causes: divergences.map(({ cause }) => cause) })
    }
  }
  expect(wrong).toEqual([])
})
