import { readFileSync } from 'node:fs'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { startProvider } from '../../../examples/world/provider.ts'
import { replay } from '../../../src/replay/replay.ts'
import { checkpoint } from '../../../src/run/checkpoint.ts'
import { external } from '../../../src/run/external.ts'
import { tool } from '../../../src/run/tool.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { recordRun } from '../../support/record-run.ts'

const file = 'test/replay/call-sites/missing-and-limits.test.ts'
const lines = readFileSync(import.meta.filename, 'utf8').split('\n')
const siteAt = (name: string): object => ({ file, line: lines.findIndex((line) => line.endsWith(`// line: ${name}`)) + 1 })

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const look = external('look', async (what: string) => (await pause(5), what))
const note = tool('note', { effect: 'write' }, async (what: string) => (await pause(5), what))

it.each([1, 2])('names the last call before the end of a run that leaves out its last calls: %i', async (left) => {
  const agent = async (skips: boolean): Promise<void> => {
    for (const order of ['ord_1', 'ord_2', 'ord_3', 'ord_4', 'ord_5']) await look(order)
    await look('the last') // line: last
    if (!skips) for (let count = 0; count < left; count += 1) await note(`note ${count}`)
  }
  const { trace } = await recordRun(() => agent(false))
  await expectClean(trace, () => agent(false))
  const { divergences } = await replay(trace, () => agent(true))
  expect(divergences[0]).toMatchObject({ cause: 'missing-call', step: 7, site: siteAt('last') })
})

it('names the checkpoint with which a run went on that leaves out its last calls', async () => {
  const agent = async (skips: boolean): Promise<void> => {
    for (const order of ['ord_1', 'ord_2', 'ord_3']) await look(order)
    if (!skips) for (let count = 0; count < 5; count += 1) await note(`note ${count}`)
    checkpoint('noted') // line: checkpoint
  }
  const { trace } = await recordRun(() => agent(false))
  await expectClean(trace, () => agent(false))
  const { divergences } = await replay(trace, () => agent(true))
  expect(divergences[0]).toMatchObject({ cause: 'missing-call', step: 4, site: siteAt('checkpoint') })
})

it('names the line of a call that is now made after the run', async () => {
  const agent = async (isLate: boolean): Promise<void> => {
    for (const order of ['ord_1', 'ord_2', 'ord_3', 'ord_4', 'ord_5']) await look(order)
    if (!isLate) await note('late')
    await look('the last')
    if (isLate) setTimeout(() => void note('late'), 20) // line: late
  }
  const { trace } = await recordRun(() => agent(false))
  const { divergences } = await replay(trace, () => agent(true))
  expect(divergences[0]).toMatchObject({ cause: 'missing-call', step: 6, site: siteAt('late') })
})

const TAKES = 60

/** Ways to limit a request. It is the third call of its run, whose stack is not kept by itself. */
const limits: Readonly<Record<string, (url: string, ms: number) => Promise<unknown>>> = {
  'a signal': async (url, ms) => await (await fetch(url, { signal: AbortSignal.timeout(ms) })).text(), // line: a signal
  'one of two signals': async (url, ms) => {
    const signals = [AbortSignal.timeout(60_000), AbortSignal.timeout(ms)] // line: one of two signals
    return await (await fetch(url, { signal: AbortSignal.any(signals) })).text()
  },
  'a controller': async (url, ms) => {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), ms) // line: a controller
    const response = await fetch(url, { signal: controller.signal })
    clearTimeout(timer)
    return await response.text()
  },
  'a race': async (url, ms) =>
    await Promise.race([
      fetch(url).then((response) => response.text()),
      pause(ms).then(() => Promise.reject(new Error('late'))), // line: a race
    ]),
}

it.each(Object.keys(limits))('names the line where a time limit is set, by %s', async (how) => {
  await using server = await listen(async (_incoming, response) => {
    await pause(TAKES)
    response.end('page')
  })
  const agent = async (ms: number): Promise<unknown> => {
    for (const order of ['ord_1', 'ord_2']) await look(order)
    return await limits[how]?.(server.url, ms)
  }
  const { trace } = await recordRun(() => agent(60_000))
  await expectClean(trace, () => agent(60_000))
  const { divergences } = await replay(trace, () => agent(10))
  const place = how === 'a race' ? { file } : siteAt(how)
  expect(divergences[0]).toMatchObject({ cause: 'time-limit', step: 3, site: place })
})

it.each([0, 1])('names the call whose limit is an option of the client, with %i retries', async (maxRetries) => {
  await using provider = await startProvider({ script: [{ text: 'Hello.', delayMs: TAKES }] })
  const agent = async (timeout: number): Promise<unknown> => {
    for (const order of ['ord_1', 'ord_2']) await look(order)
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl, timeout, maxRetries })
    return await client.chat.completions.create({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hello?' }] }) // line: option
  }
  const { trace } = await recordRun(() => agent(60_000))
  const { divergences } = await replay(trace, () => agent(10))
  expect(divergences[0]).toMatchObject({ cause: 'time-limit', step: 3, site: siteAt('option') })
})
