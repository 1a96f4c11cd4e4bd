import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import { waitFor } from '../../src/record/limits.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import type { Recorder } from '../../src/record/recorder-types.ts'
import type { RecorderOptions } from '../../src/record/recorder-options.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { tool } from '../../src/run/tool.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { collectWarnings } from '../support/collect-warnings.ts'
import { recordRun } from '../support/record-run.ts'
import { recordOnThread } from '../support/record-on-thread.ts'
import { pretendNetworkFileSystem } from '../support/network-file-system.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const server = await listen(async (request, response) => void response.end(await readBody(request)))
afterAll(() => server.close())

const warnings = collectWarnings()

const note = tool('note', { effect: 'write' }, async (text: string) => text.length)

/** Sends so many bodies, each of a thousand characters that no other has. */
async function agent(count: number): Promise<string> {
  let said = ''
  for (let index = 0; index < count; index += 1) {
    const body = `${index} `.repeat(1_000).slice(0, 1_000)
    const answer = await (await fetch(server.url, { method: 'POST', body })).text()
    said += `${answer.slice(0, 12)} ${await note(answer)} `
  }
  return said
}

/** What the agent comes to without a recorder. */
const alone = await agent(20)

/** A recorder; with `thread`, one whose runs the thread keeps from now on. */
async function start(directory: string, options: Partial<RecorderOptions>): Promise<Recorder> {
  return options.thread === true ? await recordOnThread(directory, options) : createRecorder({ ...options, store: directory })
}

async function readLast(directory: string): Promise<Trace> {
  const store = createDirectoryStore(directory)
  const stored = await store.read((await store.list()).at(-1) ?? '')
  return decodeTrace(stored?.text ?? '', stored?.file ?? '', digest)
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('ends a recording with a note where its run goes beyond a limit, on either thread', async () => {
  const limits = { runSteps: 7, runBytes: 5_500, runMilliseconds: 0 }
  for (const thread of [true, false]) {
    for (const [name, limit] of Object.entries(limits)) {
      await using directory = await createTemporaryDirectory()
      const recorder = await start(directory.resolve('runs'), { thread, limits: { [name]: limit, sideEffectMilliseconds: 5_000 } })
      warnings.splice(0)
      const before = recorder.stats()
      expect(await recorder.run({ agent: 'agent', input: 20 }, agent)).toBe(alone)
      expect(await recorder.run({ agent: 'agent', input: 20 }, agent)).toBe(alone)
      await recorder.close()
      expect(recorder.stats()).toEqual({ ...before, begun: before.begun + 2, cut: before.cut + 2, waitingBytes: 0 })
      const trace = await readLast(directory.resolve('runs'))
      expect(trace.rows.at(-1)).toMatchObject({ kind: 'note', what: 'cut', where: `limits.${name}: ${limit}` })
      expect(trace.end).toBeUndefined()
      expect(trace.steps.length).toBe({ runSteps: 7, runBytes: 5, runMilliseconds: 0 }[name])
      await settled()
      // Said once, counted twice.
      expect(warnings).toEqual([
        'goldenrun ended the recording <id> before its run ended: it exceeded a limit of the recorder (see the note at its end). The run itself is not affected.',
      ])
    }
  }
})

it('ends the recording of the run that finds no room to wait, and no other', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = await start(directory.resolve('runs'), { thread: true, limits: { memoryBytes: 500_000 } })
  // Nothing is handed over meanwhile.
  const body = 'a'.repeat(600_000)
  const send = async (text: string): Promise<number> => (await (await fetch(server.url, { method: 'POST', body: text })).text()).length
  expect(await recorder.run({ agent: 'large', input: 0 }, () => send(body))).toBe(600_000)
  expect(await recorder.run({ agent: 'small', input: 0 }, () => send('a'))).toBe(1)
  await recorder.close()
  expect(recorder.stats()).toMatchObject({ recorded: 2, cut: 1, failed: 0, waitingBytes: 0 })
  const trace = await readLast(directory.resolve('runs'))
  expect([trace.header.agent, trace.end?.output]).toEqual(['small', 1])
})

it('lets a side effect go out where its call could not be written in time, with a note, on a network file system', async () => {
  await using directory = await createTemporaryDirectory()
  await (await start(directory.resolve('local'), { thread: true })).close()
  pretendNetworkFileSystem()
  const recorder = await start(directory.resolve('runs'), { thread: true, limits: { sideEffectMilliseconds: 0 } })
  expect(await recorder.run({ agent: 'agent', input: 20 }, agent)).toBe(alone)
  await recorder.close()
  const trace = await readLast(directory.resolve('runs'))
  // The thread may be so quick that some are written in no time at all.
  const notes = trace.rows.filter((row) => row.kind === 'note')
  expect(notes.length).toBeGreaterThan(0)
  const effects = trace.steps
    .filter(({ effect }) => effect === 'write')
    .map(({ step }) => `note: step ${step} was sent before its call was written`)
  for (const { what, where } of notes) expect([what, effects.includes(where)]).toEqual(['unwritten-call', true])
  expect(trace.end?.output).toBe(alone)
})

it('continues unrecorded on a full disk, and reports it once', async (context) => {
  await using directory = await createTemporaryDirectory()
  const runs = directory.resolve('runs')
  mkdirSync(runs)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', runs])
  if (mounted.status !== 0) return context.skip('A small disk can be mounted by root only.')
  try {
    for (const thread of [true, false]) {
      const recorder = await start(runs, { thread })
      warnings.splice(0)
      const before = recorder.stats()
      const noise = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(40_000))).toString('base64')
      for (let run = 0; run < 3; run += 1) {
        const text = noise()
        const read = async (): Promise<string> => (await fetch(server.url, { method: 'POST', body: text })).text()
        expect(await recorder.run({ agent: 'agent', input: 20 }, read)).toBe(text)
      }
      await recorder.flush()
      const { recorded, failed } = recorder.stats()
      expect(failed - before.failed).toBeGreaterThan(0)
      expect(recorded + failed).toBe(before.recorded + 3)
      await recorder.close()
      await settled()
      expect(warnings).toEqual([
        expect.stringMatching(/^goldenrun could not finish the recording <id>: Error: ENOSPC: .*The run itself is not affected\.$/),
        expect.stringMatching(/^goldenrun closed a recorder, and \d of its \d runs are not stored\./),
      ])
      // What could be written can be read.
      const store = createDirectoryStore(runs)
      for (const id of await store.list()) expect((await store.read(id))?.text).toContain('"kind":"run"')
    }
  } finally {
    execFileSync('umount', [runs])
  }
})

it('continues unrecorded when nothing may be written', async (context) => {
  if (process.getuid?.() === 0) return context.skip('root may write everywhere.')
  await using directory = await createTemporaryDirectory()
  mkdirSync(directory.resolve('runs'))
  chmodSync(directory.resolve('runs'), 0o500)
  for (const thread of [true, false]) {
    const recorder = await start(directory.resolve('runs'), { thread })
    expect(await recorder.run({ agent: 'agent', input: 20 }, agent)).toBe(alone)
    await recorder.close()
    expect(recorder.stats()).toMatchObject({ recorded: 0, failed: thread ? 2 : 1 })
  }
})

it('continues unrecorded on a read-only disk', async (context) => {
  await using directory = await createTemporaryDirectory()
  const runs = directory.resolve('runs')
  mkdirSync(runs)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', runs])
  if (mounted.status !== 0) return context.skip('A disk can be mounted by root only.')
  try {
    for (const thread of [true, false]) {
      const recorder = await start(runs, { thread })
      warnings.splice(0)
      expect(await recorder.run({ agent: 'agent', input: 20 }, agent)).toBe(alone)
      await recorder.close()
      expect(recorder.stats()).toMatchObject({ recorded: 0, failed: thread ? 2 : 1, waitingBytes: 0 })
      await settled()
      // That the disk takes no index either may be noticed first.
      const told = warnings.filter((warning) => !warning.startsWith('goldenrun could not index'))
      // The thread's first run was told of before.
      expect(told.map((warning) => warning.slice(0, 63))).toEqual(
        thread
          ? ['goldenrun closed a recorder, and 2 of its 2 runs are not stored']
          : ['goldenrun could not finish the recording <id>: Error: EROFS: re'],
      )
    }
  } finally {
    execFileSync('umount', [runs])
  }
})

it('writes nothing of a value that a rule could not look at', async () => {
  await using directory = await createTemporaryDirectory()
  const find = (text: string): string[] => {
    if (text.includes('0 0 0')) throw new Error('no luck')
    return []
  }
  const recorder = await start(directory.resolve('runs'), { redact: { rules: [{ name: 'own', find }] } })
  expect(await recorder.run({ agent: 'agent', input: 20 }, agent)).toBe(alone)
  await recorder.close()
  const trace = await readLast(directory.resolve('runs'))
  expect(JSON.stringify(trace.rows)).not.toContain('0 0 0')
  expect(trace.steps[0]?.input).toMatchObject({ text: '[not kept: a redaction rule failed]' })
  expect(trace.rows.filter((row) => row.kind === 'note')).toEqual([expect.objectContaining({ what: 'redaction-failed', where: 'own' })])
})

it('closes within its time, whatever waits', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = await start(directory.resolve('runs'), { thread: true, limits: { closeMilliseconds: 0 } })
  await recorder.run({ agent: 'agent', input: 20 }, agent)
  await recorder.close()
  await settled()
  // The thread goes on writing: what was handed over is not lost.
  const store = createDirectoryStore(directory.resolve('runs'))
  await expect
    .poll(async () => statSync(directory.resolve('runs', `${(await store.list()).at(-1)}.runlog`)).size, { timeout: 10_000 })
    .toBeGreaterThan(1_000)
})

it('waits in proportion to what waits', () => {
  const times = [0, 1, 16 * 2 ** 20, 16 * 2 ** 20 + 1, 64 * 2 ** 20].map((bytes) => waitFor(bytes, { closeMilliseconds: 100 }))
  expect(times).toEqual([100, 100, 100, 200, 400])
})

it('refuses an unknown limit, and a limit that is not a number', () => {
  // @ts-expect-error an unknown limit
  expect(() => createRecorder({ store: 'runs', limits: { steps: 5 } })).toThrow(
    'createRecorder: the option "limits" takes memoryBytes, runSteps, runBytes, runMilliseconds, sideEffectMilliseconds, lateMilliseconds, lateRuns, lateBytes, closeMilliseconds, not "steps".',
  )
  expect(() => createRecorder({ store: 'runs', limits: { runSteps: -1 } })).toThrow(
    'has to have a number of at least 0 as "runSteps", got -1.',
  )
})

const ask = async (): Promise<unknown> => (await fetch(server.url, { method: 'POST', body: 'late' })).text()

it.each([
  ['a request', ask, /^POST 127\.0\.0\.1:\d+ at \S+limits\.test\.ts:\d+:\d+$/],
  ['a call of a tool', () => note('late'), /^note at \S+limits\.test\.ts:\d+:\d+$/],
] as const)('notes once where %s goes beyond what may follow the end of a run', async (_what, call, where) => {
  const made = Promise.withResolvers<void>()
  const { trace } = await recordRun(
    async () => {
      void (async () => {
        await new Promise((resolve) => setTimeout(resolve, 1))
        for (let count = 0; count < 3; count += 1) await call()
      })().finally(made.resolve)
      return 'done'
    },
    { recorder: { limits: { lateBytes: 200 } } },
  )
  await made.promise
  expect(trace.rows.filter(({ kind }) => kind === 'note')).toEqual([
    expect.objectContaining({ what: 'late-call', where: expect.stringMatching(where) }),
  ])
  expect(trace.steps).toEqual([])
})
