import { expect, it } from 'vitest'
import { findCommonText, SEPARATOR } from '../../src/fleet/packs/common-text.ts'
import { decodeRun, encodeRun, linesOf } from '../../src/fleet/packs/run-entry.ts'
import { createRunMaker, toStoredLog } from './world/synthetic-runs.ts'

it('compresses what a recorder wrote with texts that fifty runs share, each as a whole', { timeout: 120_000 }, async () => {
  const maker = await createRunMaker({ start: Date.UTC(2026, 10, 21), every: 60_000 })
  const made = Array.from({ length: 140 }, (_, number) => maker.make(number))
  const [first] = made
  const runs = made.filter(({ summary }) => summary.agent === first?.summary.agent)
  const recordings = runs.slice(0, 60).map(({ lines }) => lines)
  const dictionary = findCommonText(recordings)
  const texts = Buffer.from(dictionary ?? [])
    .toString()
    .split(SEPARATOR)
  expect(texts.length).toBeGreaterThan(1)
  for (const text of texts) expect(recordings.filter((lines) => lines.includes(text)).length, text).toBeGreaterThanOrEqual(50)
  expect(findCommonText(recordings.slice(0, 49))).toBe(undefined)

  const log = await toStoredLog(runs[0] ?? maker.make(0)).bytes()
  const lines = linesOf(log, 'a log')
  const encoded = encodeRun(log, lines, dictionary)
  expect(encoded.encoding).toBe('lines')
  expect(encoded.bytes.length * 2).toBeLessThan(log.length)
  expect(decodeRun(encoded, dictionary, 'a pack')).toBe(lines)
})
