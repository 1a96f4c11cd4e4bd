import { readdirSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import type { Recorder } from '../../src/record/recorder-types.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { tool } from '../../src/run/tool.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { expectClean } from '../support/replay-clean.ts'
import { collectWarnings } from '../support/collect-warnings.ts'
import { recordOnThread } from '../support/record-on-thread.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { holdThreadWrites } from '../support/thread-writes.ts'

const server = await listen(async (request, response) => {
  const body = await readBody(request)
  for (let at = 0; at < body.length; at += 4_000) response.write(body.subarray(at, at + 4_000))
  response.end()
})
afterAll(() => server.close())

const warnings = collectWarnings()

const pay = tool('pay', { effect: 'write' }, async (amount: number) => ({ paid: amount }))

/** Reads a stream and pays, three times over. */
async function agent(number: number): Promise<string> {
  let said = ''
  for (let turn = 0; turn < 3; turn += 1) {
    const answer = await (await fetch(server.url, { method: 'POST', body: `${number}.${turn} `.repeat(2_000) })).text()
    said += `${answer} ${JSON.stringify(await pay(number * 10 + turn))}\n`
  }
  return said
}

const numbers = Array.from({ length: 8 }, (_, number) => number)
/** What the agents come to without a recorder. */
const alone = await Promise.all(numbers.map(agent))

async function readAll(directory: string): Promise<Trace[]> {
  const store = createDirectoryStore(directory)
  const stored = await Promise.all((await store.list()).map((id) => store.read(id)))
  const traces = stored.map((recording) => decodeTrace(recording?.text ?? '', recording?.file ?? '', digest))
  return traces.filter(({ header }) => header.agent !== 'first')
}

const run = (recorder: Recorder, number: number): Promise<string> => recorder.run({ agent: 'agent', input: number }, agent)
const notesOf = ({ rows }: Trace): string[] => rows.flatMap((row) => (row.kind === 'note' ? [`${row.what} ${row.where}`] : []))
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('lets runs go on to their ends while no write to the disk returns, and loses nothing of them', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = await recordOnThread(directory.resolve('runs'))
  const files = readdirSync(directory.resolve('runs')).filter((name) => name.endsWith('.runlog'))
  const disk = await holdThreadWrites(directory.resolve('gate'))
  expect(await Promise.all(numbers.map((number) => run(recorder, number)))).toEqual(alone)
  // All of that was handed over, and nothing is written.
  expect(readdirSync(directory.resolve('runs')).filter((name) => name.endsWith('.runlog'))).toEqual(files)
  expect(recorder.stats()).toMatchObject({ recorded: 1, active: 0, failed: 0, cut: 0 })
  expect(recorder.stats().waitingBytes).toBeGreaterThan(100_000)
  await disk.release()
  await recorder.close()
  expect(recorder.stats()).toMatchObject({ recorded: 9, failed: 0, cut: 0, waitingBytes: 0 })
  await settled()
  expect(warnings).toEqual([])
  const traces = await readAll(directory.resolve('runs'))
  expect(traces.map(({ header }) => Number(header.input)).toSorted((a, b) => a - b)).toEqual(numbers)
  for (const trace of traces) {
    // No side effect waited for the thread: it is in the journal.
    expect(notesOf(trace)).toEqual([])
    expect(trace.end?.output).toBe(alone[Number(trace.header.input)])
    await expectClean(trace, agent)
  }
})

it('keeps no more than its limit waiting for a disk that does not answer: runs are cut whole, and new ones are not begun', async () => {
  await using directory = await createTemporaryDirectory()
  const memoryBytes = 200_000
  const recorder = await recordOnThread(directory.resolve('runs'), { limits: { memoryBytes } })
  const disk = await holdThreadWrites(directory.resolve('gate'))
  // A row that tells of a cut, and the end, find room all the same.
  const most = memoryBytes + 8 * 4_000
  const watched = numbers.map(async (number) => {
    const said = await run(recorder, number)
    expect(recorder.stats().waitingBytes).toBeLessThan(most)
    return said
  })
  expect(await Promise.all(watched)).toEqual(alone)
  // Many more than there is room for.
  for (let round = 0; round < 100; round += 1) expect(await run(recorder, 1)).toBe(alone[1])
  expect(recorder.stats().waitingBytes).toBeLessThan(most)
  const { cut, failed } = recorder.stats()
  expect(cut).toBeGreaterThan(0)
  expect(failed).toBeGreaterThan(90)
  await disk.release()
  await recorder.close()
  expect(recorder.stats()).toMatchObject({ recorded: 1 + 108 - cut - failed, failed, cut, waitingBytes: 0 })
  await settled()
  expect(warnings).toEqual([
    'goldenrun ended the recording <id> before its run ended: it exceeded a limit of the recorder (see the note at its end). The run itself is not affected.',
    'goldenrun could not record a run of "agent": Error: the data that waits to be written has reached limits.memoryBytes (200000). The run itself is not affected.',
    `goldenrun closed a recorder, and ${failed} of its 109 runs are not stored. See the warnings before for the reasons.`,
  ])
  const traces = await readAll(directory.resolve('runs'))
  const whole = traces.filter(({ end }) => end !== undefined)
  expect([traces.length, whole.length]).toEqual([108 - failed, 108 - failed - cut])
  for (const trace of whole) await expectClean(trace, agent)
  const ended = traces.filter(({ end }) => end === undefined).map((trace) => notesOf(trace).at(-1))
  expect(new Set(ended)).toEqual(new Set([`cut limits.memoryBytes: ${memoryBytes}`]))
})

it('closes a recorder whose disk does not answer, and says what it leaves behind', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = await recordOnThread(directory.resolve('runs'), { limits: { closeMilliseconds: 0 } })
  const disk = await holdThreadWrites(directory.resolve('gate'))
  expect(await run(recorder, 3)).toBe(alone[3])
  await recorder.close()
  await settled()
  expect(warnings).toEqual([
    // In no time at all, the store may not have confirmed the first run.
    expect.stringMatching(
      /^goldenrun closed a recorder, and [12] of its 2 runs are not stored\. The thread that writes still has \d+ bytes that were not written within limits\.closeMilliseconds \(0\)\.$/,
    ),
  ])
  await disk.release()
  // The thread goes on once it can.
  await expect.poll(async () => (await readAll(directory.resolve('runs')))[0]?.end?.output).toBe(alone[3])
})
