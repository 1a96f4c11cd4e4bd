import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createRecorder } from '../../src/record/recorder.ts'
import type { RecorderStats } from '../../src/record/recorder-types.ts'
import { external } from '../../src/run/external.ts'
import type { TraceStore } from '../../src/stores/trace-store.ts'
import { collectWarnings } from '../support/collect-warnings.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const warnings = collectWarnings()

/** Every run that was begun, by where it is counted. */
function sumOf({ active, watching, writing, recorded, sampledOut, cut, failed, lost }: RecorderStats): number {
  return active + watching + writing + recorded + sampledOut + cut + failed + lost
}

const read = external('read', async (size: number) => 'x'.repeat(size))

/** By its input it is long, throws, goes beyond a limit, or leaves something behind. */
async function agent(input: number): Promise<string> {
  const text = await read(input % 7 === 0 ? 40_000 : 100)
  if (input % 5 === 0) await sleep(1)
  if (input % 11 === 0) throw new Error('no luck')
  if (input % 13 === 0) for (let step = 0; step < 30; step += 1) await read(1)
  if (input % 17 === 0) setTimeout(() => undefined, 1).unref()
  return text.slice(0, 10)
}

it('counts each of 800 runs that saturate it at one place, at any time', { timeout: 120_000 }, async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({
    store: directory.resolve('runs'),
    sample: { rest: 0.5 },
    limits: { memoryBytes: 400_000, runSteps: 20, lateMilliseconds: 50, closeMilliseconds: 60_000 },
  })
  await recorder.start()
  let begun = 0
  const sums = new Set<boolean>()
  const work = Array.from({ length: 800 }, async (_, index) => {
    await sleep(index % 20)
    begun += 1
    const run = recorder.run({ agent: 'agent', input: index }, agent).catch(() => undefined)
    await run
    const stats = recorder.stats()
    sums.add(stats.begun === begun && sumOf(stats) === begun)
  })
  await Promise.all(work)
  await recorder.close()
  const stats = recorder.stats()
  expect([...sums]).toEqual([true])
  expect(stats).toMatchObject({ begun: 800, active: 0, watching: 0, writing: 0, lost: 0, waitingBytes: 0 })
  expect(sumOf(stats)).toBe(800)
  expect(Math.min(stats.recorded, stats.sampledOut, stats.cut, stats.failed)).toBeGreaterThan(0)
})

it('counts a run as cut that is under way when its recorder is closed', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs'), thread: false })
  const run = recorder.run({ agent: 'agent', input: 1 }, async () => {
    await recorder.close()
    return 'done'
  })
  expect(await run).toBe('done')
  expect(recorder.stats()).toMatchObject({ begun: 1, cut: 1, active: 0 })
})

it('counts a run as lost that is not written when close has waited, and as recorded once it is', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs'), limits: { closeMilliseconds: 0, lateMilliseconds: 0 } })
  await recorder.start()
  // To look for secrets in that takes far longer than it is waited for.
  await recorder.run({ agent: 'agent', input: 1 }, () => 'one two '.repeat(600_000))
  expect(recorder.stats()).toMatchObject({ begun: 1, writing: 1 })
  await recorder.close()
  expect(recorder.stats()).toMatchObject({ begun: 1, writing: 0, lost: 1 })
  await expect.poll(() => recorder.stats(), { timeout: 20_000 }).toMatchObject({ recorded: 1, lost: 0 })
})

it.each([true, false])('counts a run as failed whose store is removed while it is recorded, and says so (thread: %s)', async (thread) => {
  await using directory = await createTemporaryDirectory()
  const runs = directory.resolve('runs')
  const recorder = createRecorder({ store: runs, thread, limits: { lateMilliseconds: 0 } })
  await recorder.start()
  await recorder.run({ agent: 'agent', input: 1 }, async (input) => {
    await agent(input)
    await recorder.flush()
    rmSync(runs, { recursive: true })
    return await agent(input)
  })
  await recorder.close()
  expect(recorder.stats()).toMatchObject({ begun: 1, recorded: 0, failed: 1 })
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings.splice(0).join('\n')).toMatch(
    thread ? /could not finish the recording .* was removed while it was being written/ : /could not finish the recording .* ENOENT/,
  )
})

it.runIf(process.platform === 'linux').each([true, false])(
  'fails a run whose store cannot be made, and closes (thread: %s)',
  async (thread) => {
    const recorder = createRecorder({ store: '/proc/goldenrun/runs', thread, limits: { lateMilliseconds: 0 } })
    await recorder.start()
    expect(await recorder.run({ agent: 'agent', input: 1 }, agent)).toBe('x'.repeat(10))
    await recorder.close()
    expect(recorder.stats()).toMatchObject({ begun: 1, failed: 1, lost: 0, waitingBytes: 0 })
    await new Promise((resolve) => setImmediate(resolve))
    expect(warnings.splice(0).join('\n')).toContain('ENOENT')
  },
)

it('counts the runs of a store that fails in any of its ways as failed', async () => {
  const fail = (): never => {
    throw new Error('no')
  }
  const writer = { write: () => undefined, flush: () => undefined, close: () => undefined }
  const able: TraceStore = { open: () => writer, list: async () => [], read: async () => undefined }
  const broken: readonly TraceStore[] = [
    { ...able, open: fail },
    { ...able, open: () => ({ ...writer, write: fail }) },
    { ...able, open: () => ({ ...writer, close: fail }) },
    { ...able, open: () => ({ ...writer, close: () => Promise.resolve() as unknown as undefined }) },
    { ...able, index: fail },
  ]
  for (const store of broken) {
    const recorder = createRecorder({ store, limits: { lateMilliseconds: 0 } })
    expect(await recorder.run({ agent: 'agent', input: 1 }, agent)).toBe('x'.repeat(10))
    await recorder.close()
    expect(recorder.stats()).toMatchObject({ begun: 1, failed: 1 })
  }
  warnings.splice(0)
})
