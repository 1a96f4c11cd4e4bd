import { scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, it } from 'vitest'
import { listen, type LocalServer } from '../../examples/world/listen.ts'
import { tool } from '../../src/index.ts'
import { recordLateRun } from './record-late-run.ts'
import { expectClean } from './replay-clean.ts'

export let world: LocalServer

export const post = async (path: string): Promise<string> => (await fetch(`${world.url}/${path}`, { method: 'POST' })).text()

export const save: (id: string) => Promise<string> = tool('save', { effect: 'write' }, async (id: string) => {
  await sleep(10)
  return `saved ${id}`
})

const note = tool('note', { effect: 'write' }, async (id: string) => `noted ${id}`)

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

export const drop = (left: Promise<unknown>): void => void left.catch(() => undefined)

export const greenEndsCases: readonly [string, (pause: number) => Promise<unknown>][] = [
  ['a call that nobody waited for, and a pause behind it', async (pause) => (drop(save('log')), await sleep(pause), 'done')],
  ['a call that nobody waited for beside one that was', async () => (drop(save('log')), await post('ask'))],
  ['a timer left behind, and a pause', async (pause) => (setTimeout(() => drop(post('log')), 80), await sleep(pause), 'done')],
  ['a call that nobody waited for, and a file', async () => (drop(post('log')), (await readFile(import.meta.filename)).length)],
  ['a call that nobody waited for, and turns of the event loop', async () => (drop(post('log')), await turns(50), 'done')],
  ['a call that nobody waited for, and a hash', async () => (drop(post('log')), String(await promisify(scrypt)('a', 'b', 64)))],
  ['a call in memory that nobody waited for', async () => (drop(note('log')), 'done')],
  ['a call in memory that was', async () => (await note('log'), 'done')],
]

export function testGreenEnds(cases: readonly (typeof greenEndsCases)[number][]): void {
  it.each<[string, (pause: number) => Promise<unknown>]>(cases)('stays green: %s', async (_what, agent) => {
    // Longer than anything else of the run takes, however busy the machine is.
    const trace = await recordLateRun(() => agent(400))
    for (const pause of [400, 200, 900]) await expectClean(trace, () => agent(pause))
  })
}

/** Starts what the tests share, and ends it after them. */
export function setUpEndOrder(): void {
  beforeAll(async () => {
    world = await listen(async (_incoming, response) => {
      await sleep(20)
      response.end('done')
    })
  })
  afterAll(() => world.close())
}
