import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { startProvider } from '../../../examples/world/provider.ts'
import { readTrace } from '../../../src/replay/traces/read-trace.ts'
import { replay } from '../../../src/replay/replay.ts'
import { runNode } from '../../support/run-command.ts'
import { rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { type SlowAnswer, slowAgent } from './programs/slow-agent.ts'

/** GOLDENRUN_REPLAYS=1000 for as many as the promise speaks of. */
const replays = Number(process.env['GOLDENRUN_REPLAYS'] ?? 200)

it('replays 80 seconds of retries, a stream, an interval and a race, each time the same', { timeout: 120_000 }, async () => {
  await using directory = await createTemporaryDirectory()
  const overloaded = { status: 429, headers: { 'retry-after': '20' } }
  const text = Array.from({ length: 20 }, (_, index) => `word${index} `).join('')
  await using provider = await startProvider({ script: [overloaded, overloaded, overloaded, { text, chunks: 20, chunkDelayMs: 10 }] })
  const store = directory.resolve('runs')
  const programs = (name: string): string => fileURLToPath(new URL(`programs/${name}`, import.meta.url))
  const { stderr } = await runNode(directory.path, [
    '--import',
    programs('fast-clock.mjs'),
    programs('slow-main.ts'),
    provider.openaiBaseUrl,
    store,
  ])
  expect(stderr).toBe('')

  const trace = await readTrace(directory.resolve('runs', readdirSync(store)[0] ?? ''))
  const output = trace.end?.output as SlowAnswer
  expect(output).toMatchObject({ text, winner: 'fast' })
  expect(output.seconds).toBeGreaterThanOrEqual(75)
  expect(output.ticks.length).toBeGreaterThanOrEqual(10)
  expect(trace.steps.map(({ name }) => name)).toEqual(Array.from({ length: 4 }, () => 'openai.chat'))
  expect(rowsOf(trace, 'timer').filter(({ delay }) => delay === 20_000)).toHaveLength(3)
  expect(rowsOf(trace, 'chunk').length).toBeGreaterThanOrEqual(20)

  expect((await expectClean(trace, slowAgent)).virtualMs).toBeGreaterThan(75_000)
  const hashes = new Set<string>()
  const answers = new Set<string>()
  for (let count = 0; count < replays; count += 1) {
    const run = await replay(trace, slowAgent)
    hashes.add(run.hash)
    answers.add(JSON.stringify(run.outcome))
  }
  expect([...hashes]).toEqual([trace.hash])
  expect([...answers]).toEqual([JSON.stringify({ status: 'returned', output })])
})
