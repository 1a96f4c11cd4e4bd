import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { replay } from '../../src/replay/replay.ts'
import { currentScope } from '../../src/run/scope.ts'
import { tool } from '../../src/run/tool.ts'
import { collectGarbage } from '../support/collect-garbage.ts'
import { recordRun, startRecorder } from '../support/record-run.ts'

const server = await listen(async (_request, response) => void response.end('hello'))
afterAll(() => server.close())
const look = tool('look', {}, async (what: string) => what)
const get = async (): Promise<string> => (await fetch(server.url)).text()

const collected: string[] = []
const registry = new FinalizationRegistry<string>((name) => collected.push(name))

/** Keeps an eye on the run that it is called in, and no hold of it. */
function watch(): void {
  const run = currentScope()?.run
  if (run === undefined) throw new Error('This is no run.')
  registry.register(run, run.mode)
}

const usual = async (): Promise<unknown> => {
  watch()
  return [await look('a'), await get(), Math.random(), await sleep(1, 'slept')]
}

/** What a run may leave behind when it is over. */
const agents: Readonly<Record<string, () => Promise<unknown>>> = {
  'did what was recorded': usual,
  'was stopped at a call that the trace does not have': async () => {
    watch()
    return await look('b').catch(() => 'swallowed')
  },
  'left timers running': async () => {
    setInterval(() => undefined, 1000)
    return await usual()
  },
  'left a call open': async () => {
    void fetch(`${server.url}/open`).catch(() => undefined)
    return await usual()
  },
  'waits for what never comes': async () => {
    watch()
    return await new Promise(() => undefined)
  },
  'handed out a stream': async () => {
    await usual()
    return new ReadableStream({ start: (controller) => controller.close() })
  },
  'was refused a contact': async () => {
    const { connect } = await import('node:net')
    watch()
    connect(1, '127.0.0.1').on('error', () => undefined)
    return await new Promise((resolve) => setImmediate(resolve))
  },
}

const { trace } = await recordRun(async () => [await look('a'), await get(), Math.random(), await sleep(1, 'slept')])

it.each(Object.entries(agents))('lets the run of a replay go that %s', async (_name, agent) => {
  await throwAway(() => replay(trace, agent))
  expect(await nextCollected()).toEqual(['replay'])
})

it('lets a recorded run go', async () => {
  await using recorder = await startRecorder()
  await throwAway(() => recorder.record(usual))
  expect(await nextCollected()).toEqual(['record'])
})

/** Waits for something and keeps nothing of it: the frame of whoever awaited it would. */
async function throwAway(make: () => Promise<unknown>): Promise<void> {
  await make()
}

/** What is collected within a while. */
async function nextCollected(): Promise<readonly string[]> {
  for (let turn = 0; turn < 60; turn += 1) {
    collectGarbage()
    // What was finalized is told in a later turn.
    await sleep(1)
    if (collected.length > 0) break
  }
  return collected.splice(0)
}
