import { expect, it } from 'vitest'
import { digest } from '../../src/replay/traces/digest.ts'
import { toGolden } from '../../src/replay/goldens/promotion/to-golden.ts'
import { replay } from '../../src/replay/replay.ts'
import { external } from '../../src/run/external.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import { recordRun } from '../support/record-run.ts'

// In two parts: this file is a test file, too.
const words = ['vitest-environment', 'jest-environment', 'vitest-environment-options', 'module-tag'].map((word) => `/** @${word} jsdom */`)

it('holds no text that a test runner would take for a setting of the file, and the same values', async () => {
  const write = external('write', async (text: string) => `wrote ${text}`)
  const agent = async (): Promise<string[]> => await Promise.all(words.map((word) => write(word)))
  const { trace } = await recordRun(agent)
  const { text } = toGolden(trace, { name: 'writes-tests', promotedAt: '2026-11-24T08:00:00.000Z' })
  expect(text).not.toMatch(/@(?:vitest-|jest-|module-)/)
  const golden = decodeTrace(text, 'writes-tests.jsonl', digest)
  expect(golden.end?.kind === 'end' && golden.end.output).toEqual(words.map((word) => `wrote ${word}`))
  const run = await replay(golden, agent)
  expect(run.divergences).toEqual([])
})
