import { expect, it } from 'vitest'
import { edits, sensiblePairs } from './edits.ts'
import { runMatrix } from './run-matrix.ts'

// RECORDINGS=4 tries less, GOLDENRUN_SEED=100 others; EDITS='poll' those edits whose names have it.
const recordings = Number(process.env['RECORDINGS'] ?? 40)
const firstSeed = Number(process.env['GOLDENRUN_SEED'] ?? 0)
const part = process.env['EDITS'] ?? ''

it(`finds every edit, alone and in pairs, against ${recordings} recordings each, the first with the seed ${firstSeed}`, async () => {
  const all = [...edits, ...sensiblePairs(edits)].filter(({ name }) => name.includes(part))
  const seeds = Array.from({ length: recordings }, (_, index) => firstSeed + index)
  const onProgress = (cells: number, of: number): void => void process.stderr.write(`${cells} of ${of} cells\n`)
  const { cells, wrong } = await runMatrix({ edits: all, seeds, onProgress })
  process.stderr.write(`${cells} cells, ${wrong.length} wrong\n`)
  expect([cells, wrong]).toEqual([all.length * recordings, []])
  expect(part === '' ? cells : Infinity).toBeGreaterThanOrEqual(1900 * recordings)
})
