import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { chunkBomb, frameBomb, listBomb, logBomb, pieceBomb, resentHistory, valueBomb } from './bombs.ts'

const program = fileURLToPath(new URL('read-apart.ts', import.meta.url))

interface Reading {
  readonly result: string
  readonly megabytes: number
}

async function readApart(name: string, content: string | Uint8Array): Promise<Reading> {
  await using directory = await createTemporaryDirectory()
  const file = directory.resolve(name)
  writeFileSync(file, content)
  const { result, ...rest } = JSON.parse(execFileSync(process.execPath, [program, file], { encoding: 'utf8' })) as Reading
  return { ...rest, result: result.replaceAll(file, name) }
}

const advice = (limit: string): string =>
  `If you trust the file, set a higher limits.${limit} in goldenrun.config.ts. Otherwise remove the file.`

it.each([
  [
    'a recording of one frame of 3 GB',
    'a.runlog',
    () => frameBomb(3_000),
    `a.runlog: the frame at byte 8 takes more than 256000000 bytes (limits.frameBytes). ${advice('frameBytes')}`,
  ],
  [
    'a recording of fifty frames of 40 MB',
    'a.runlog',
    () => logBomb(50),
    `a.runlog: the trace takes more than 512000000 bytes (limits.traceBytes). ${advice('traceBytes')}`,
  ],
  [
    '20,000 chunks like one event',
    'a.jsonl',
    () => chunkBomb(20_000),
    `a.jsonl: the trace takes more than 512000000 bytes (limits.traceBytes). ${advice('traceBytes')}`,
  ],
  [
    'a chunk of 20,000 pieces like one event',
    'a.jsonl',
    () => pieceBomb(20_000),
    `a.jsonl:4: a text built of shared parts takes more than 128000000 bytes (limits.textBytes). ${advice('textBytes')}`,
  ],
])('names file and limit of %s, and takes at most 300 MB', async (_, name, create, message) => {
  const { result, megabytes } = await readApart(name, await create())
  expect(result).toBe(message)
  expect(megabytes).toBeLessThan(300)
})

it.each([
  ['values that are copied', () => valueBomb(20_000)],
  ['lists that go on', () => listBomb(20_000)],
])('names file and limit of %s', async (_, create) => {
  const { result, megabytes } = await readApart('a.jsonl', create())
  expect(result).toMatch(/^a\.jsonl(:\d+)?: the trace takes more than 512000000 bytes \(limits\.traceBytes\)\./)
  expect(megabytes).toBeLessThan(1000)
})

it('refuses a frame whose window is larger than any recorder uses', async () => {
  const { result, megabytes } = await readApart('a.runlog', await frameBomb(200, 27))
  expect(result).toBe('a.runlog: the log is damaged: the frame at byte 8 is corrupted. Restore it from a backup, or record the run again.')
  expect(megabytes).toBeLessThan(300)
})

it('reads 3,001 calls that each send the whole history', async () => {
  const { result } = await readApart('a.jsonl', resentHistory(3001))
  expect(result).toBe('3001 steps')
})

it('reads a recording of 100 MB', async () => {
  const { result } = await readApart('a.runlog', await frameBomb(100))
  expect(result).toMatch(/^a\.runlog:2: "where" of a note row is missing/)
})
