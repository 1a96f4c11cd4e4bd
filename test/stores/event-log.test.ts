import { statSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { digest } from '../../src/replay/traces/digest.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { LogWriter } from '../../src/stores/event-log/log-writer.ts'
import { readLogStep } from '../../src/stores/event-log/read-log-step.ts'
import { readTraceFile } from '../../src/stores/read-trace-file.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Row } from '../../src/trace/rows.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { conversation, expectCutLogsRead, header, writeLog } from './written-logs.ts'

async function readRows(file: string): Promise<readonly Row[]> {
  const stored = await readTraceFile(file)
  return decodeTrace(stored?.text ?? '', stored?.file ?? '', digest).rows
}

it('gives back the rows that were written, whatever the distance of its keyframes', async () => {
  const rows = conversation(30)
  for (const keyframeEvery of [1, 4_000, 262_144]) {
    await using directory = await createTemporaryDirectory()
    const file = writeLog(directory, rows, { keyframeEvery })
    expect(await readRows(file)).toEqual(rows)
  }
})

it('takes far fewer bytes than the rows as JSON', async () => {
  await using directory = await createTemporaryDirectory()
  const rows = conversation(60)
  const raw = rows.map((row) => JSON.stringify(row)).join('\n').length
  const { length } = await readFile(writeLog(directory, rows))
  expect(raw / length).toBeGreaterThan(30)
})

// At any byte: event-log.slow.test.ts.
it('reads a log that was cut up to its last whole frame, with a note', async () => {
  await expectCutLogsRead(11)
})

it('refuses a log in which a byte is another, and says where', async () => {
  await using directory = await createTemporaryDirectory()
  const file = writeLog(directory, conversation(4), { keyframeEvery: 700 })
  const whole = await readFile(file)
  const places = Array.from({ length: 40 }, (_, index) => 8 + Math.floor((index * (whole.length * 0.6)) / 40))
  for (const place of places) {
    const bytes = Buffer.from(whole)
    bytes[place] = (bytes[place] ?? 0) ^ 0x10
    await writeFile(file, bytes)
    await expect(readTraceFile(file)).rejects.toThrow(/run\.runlog: the log is damaged: the frame at byte \d+ is corrupted\. Restore/)
  }
})

it('refuses a log of a newer version', async () => {
  await using directory = await createTemporaryDirectory()
  const file = writeLog(directory, conversation(1))
  const bytes = await readFile(file)
  bytes[6] = 2
  await writeFile(file, bytes)
  await expect(readTraceFile(file)).rejects.toMatchObject({ code: 'GOLDENRUN_TRACE_VERSION', format: 2 })
})

it('reaches every step from the keyframe before it', async () => {
  await using directory = await createTemporaryDirectory()
  const rows = conversation(30)
  const file = writeLog(directory, rows, { keyframeEvery: 4_000 })
  for (let step = 1; step <= 30; step += 1) {
    expect(await readLogStep(file, step)).toEqual(rows.filter((row) => 'step' in row && row.step === step))
  }
  expect(await readLogStep(file, 31)).toEqual([])
})

it('does not read what stands before the keyframe of a step', async () => {
  await using directory = await createTemporaryDirectory()
  const rows = conversation(30)
  const file = writeLog(directory, rows, { keyframeEvery: 4_000 })
  const handle = await open(file, 'r+')
  // The payload of the first frames, not their heads.
  await handle.write(Buffer.alloc(100), 0, 100, 30)
  await handle.close()
  expect(await readLogStep(file, 30)).toEqual(rows.filter((row) => 'step' in row && row.step === 30))
  await expect(readLogStep(file, 1)).rejects.toMatchObject({ code: 'GOLDENRUN_TRACE_FORMAT' })
})

it('writes many logs at a time, more than there are compressors', async () => {
  await using directory = await createTemporaryDirectory()
  const rows = conversation(4)
  const files = Array.from({ length: 100 }, (_, index) => directory.resolve(`${index}.runlog`))
  const writers = files.map((file) => new LogWriter(file))
  for (const row of rows) {
    for (const writer of writers) {
      writer.write(row)
      if (row.kind === 'return') writer.flush()
    }
  }
  for (const writer of writers) writer.close()
  for (const file of files) expect(await readRows(file)).toEqual(rows)
})

it('makes of the same rows a log that stands by itself each time, whatever was compressed before', async () => {
  await using directory = await createTemporaryDirectory()
  // More at a time than are kept, so that some logs have a compressor of before and some a new one.
  for (const round of [1, 2, 3]) {
    const files = Array.from({ length: 12 }, (_, index) => directory.resolve(`${round}-${index}.runlog`))
    const writers = files.map((file) => new LogWriter(file))
    const rows = conversation(4)
    for (const row of rows) {
      for (const writer of writers) {
        writer.write(row)
        if (row.kind === 'return') writer.flush()
      }
    }
    // One that is thrown away leaves nothing for the next.
    writers.pop()?.discard()
    for (const writer of writers) writer.close()
    for (const file of files.slice(0, -1)) expect(await readRows(file)).toEqual(rows)
    const sizes = files.slice(0, -1).map((file) => statSync(file).size)
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(8)
  }
})

it('gives a step of a recording, and none of what is not there', async () => {
  await using directory = await createTemporaryDirectory()
  const store = createDirectoryStore(directory.resolve('runs'))
  const rows = conversation(2)
  const writer = store.open(header)
  for (const row of rows) writer.write(row)
  writer.close()
  expect(await store.list()).toEqual([header.id])
  expect((await store.readStep(header.id, 2)).map(({ kind }) => kind)).toEqual(['run', 'call', 'head', 'chunk', 'chunk', 'return'])
  expect((await store.readStep(header.id, 2))[0]).toEqual(rows[0])
  expect(await store.readStep(header.id, 3)).toEqual([])
  expect(await store.readStep('nowhere', 1)).toEqual([])
})

it('reads recordings of JSON lines, as they were written before there were logs', async () => {
  await using directory = await createTemporaryDirectory()
  await using log = await createTemporaryDirectory()
  const rows = conversation(2)
  const text = (await readTraceFile(writeLog(log, rows)))?.text ?? ''
  await directory.write('runs/old.jsonl', text)
  const store = createDirectoryStore(directory.resolve('runs'))
  expect(await store.list()).toEqual(['old'])
  expect(decodeTrace((await store.read('old'))?.text ?? '', 'old', digest).rows).toEqual(rows)
})

it('leaves nothing that could be taken for a recording until its first rows are written', async () => {
  await using directory = await createTemporaryDirectory()
  const store = createDirectoryStore(directory.resolve('runs'))
  const writer = store.open(header)
  await directory.write(`runs/${header.id}.runlog.new`, '')
  expect(await store.list()).toEqual([])
  writer.write(header)
  // It does not take over what another process has begun.
  expect(() => writer.close()).toThrow('EEXIST')
})

it('touches no recording that is there', async () => {
  await using directory = await createTemporaryDirectory()
  const file = writeLog(directory, conversation(1))
  const before = await readFile(file)
  const writer = new LogWriter(file)
  writer.write(header)
  expect(() => writer.close()).toThrow('There is already a recording at')
  expect(await readFile(file)).toEqual(before)
})

it('refuses a log in which two frames have changed places, and says where', async () => {
  await using directory = await createTemporaryDirectory()
  const file = writeLog(directory, conversation(4), { keyframeEvery: 700 })
  const whole = await readFile(file)
  const frames = framesOf(whole)
  for (let index = 1; index < frames.length; index += 1) {
    const swapped = frames.with(index - 1, frames[index] as Buffer).with(index, frames[index - 1] as Buffer)
    await writeFile(file, Buffer.concat([whole.subarray(0, 8), ...swapped]))
    const read = readRows(file)
    await expect(read, `frames ${index} and ${index + 1}`).rejects.toMatchObject({ code: 'GOLDENRUN_TRACE_FORMAT' })
  }
})

it('gives back what was written, or names the frame, when bytes are zero', async () => {
  await using directory = await createTemporaryDirectory()
  const rows = conversation(4)
  const file = writeLog(directory, rows, { keyframeEvery: 700 })
  const whole = await readFile(file)
  for (let place = 8; place < whole.length; place += 37) {
    const bytes = Buffer.from(whole).fill(0, place, place + 8)
    await writeFile(file, bytes)
    const read = await readRows(file).catch((error: Error) => error.message)
    const known = typeof read === 'string' ? [] : read.filter((row) => row.kind !== 'note' || row.what !== 'torn-tail')
    expect(known).toEqual(rows.slice(0, known.length))
    const isNamed = typeof read !== 'string' || /the log is damaged: the frame at byte \d+ is corrupted\. Restore/.test(read)
    expect(isNamed, JSON.stringify(read)).toBe(true)
  }
})

/** The frames of a log: each has its length after its kind. */
function framesOf(log: Buffer): Buffer[] {
  const frames: Buffer[] = []
  for (let at = 8; at < log.length;) {
    const end = at + 17 + log.readUInt32LE(at + 1)
    frames.push(log.subarray(at, end))
    at = end
  }
  return frames
}
