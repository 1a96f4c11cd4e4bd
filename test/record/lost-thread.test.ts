import type { Worker } from 'node:worker_threads'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import type { Recorder } from '../../src/record/recorder-types.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { tool } from '../../src/run/tool.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { expectClean } from '../support/replay-clean.ts'
import { collectWarnings } from '../support/collect-warnings.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

/** Answers wait here while it is set. */
let gate: PromiseWithResolvers<void> | undefined
let waiting = 0
const server = await listen(async (request, response) => {
  const body = await readBody(request)
  response.write(body)
  waiting += 1
  await gate?.promise
  response.end(body)
})
afterAll(() => server.close())

const warnings = collectWarnings()

/** The threads that were started, the latest at the end. */
const threads: Worker[] = []
const onWorker = (worker: Worker): number => threads.push(worker)
process.on('worker', onWorker)
afterAll(() => process.off('worker', onWorker))

const look = tool('look', {}, async (number: number) => `seen ${number}`)
const pay = tool('pay', { effect: 'write' }, async (amount: number) => ({ paid: amount }))

/** Agent 0 waits here while it is set. */
let door: PromiseWithResolvers<void> | undefined

/** Asks, looks, pays, asks again. */
async function agent(number: number): Promise<string> {
  const ask = async (text: string): Promise<string> => (await fetch(server.url, { method: 'POST', body: text })).text()
  if (number === 0) await door?.promise
  const first = `${number === 0 ? await look(number) : ''}${await ask(`first ${number} `.repeat(500))}`
  const paid = await pay(number)
  return `${first} ${JSON.stringify(paid)} ${await ask(`second ${number} `.repeat(500))}`
}

const numbers = Array.from({ length: 8 }, (_, number) => number)
const alone = await Promise.all(numbers.map(agent))

const run = (recorder: Recorder, number: number): Promise<string> => recorder.run({ agent: 'agent', input: number }, agent)
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function readAll(directory: string): Promise<Trace[]> {
  const store = createDirectoryStore(directory)
  const stored = await Promise.all((await store.list()).map((id) => store.read(id)))
  return stored.map((recording) => decodeTrace(recording?.text ?? '', recording?.file ?? '', digest))
}

/**
 * Ends the thread while every run waits for an answer: what the last one did is not written yet.
 *
 * @note Every run has begun by then. Node 22 to 26 abort the process where a thread is ended within the few instructions that make a compressor
 * ("close before init").
 */
async function loseThread(recorder: Recorder): Promise<readonly string[]> {
  gate = Promise.withResolvers()
  door = Promise.withResolvers()
  waiting = 0
  const results = numbers.map((number) => run(recorder, number))
  await expect.poll(() => waiting).toBe(results.length - 1)
  await recorder.flush()
  door.resolve()
  // Within the turn: nothing is written meanwhile.
  for (let moment = 0; moment < 1_000 && recorder.stats().waitingBytes === 0; moment += 1) await Promise.resolve()
  expect(recorder.stats().waitingBytes).toBeGreaterThan(0)
  await threads.at(-1)?.terminate()
  gate.resolve()
  gate = undefined
  door = undefined
  return await Promise.all(results)
}

it('lets runs go on whose thread is lost, says so once, and records what comes after', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs') })
  const idle = createRecorder({ store: directory.resolve('idle') })
  await idle.start()
  // A process does not try for ever: from the third time on runs are kept on the agents’ thread.
  for (const lost of [1, 2, 3]) {
    await recorder.start()
    expect(threads.length).toBe(lost)
    expect(await loseThread(recorder)).toEqual(alone)
    expect(recorder.stats()).toMatchObject({ recorded: lost - 1, failed: 8 * lost, active: 0, cut: 0, waitingBytes: 0 })
    expect(await run(recorder, 3)).toBe(alone[3])
    await recorder.flush()
    expect(recorder.stats()).toMatchObject({ recorded: lost, failed: 8 * lost, active: 0, waitingBytes: 0 })
  }
  await recorder.start()
  expect(threads.length).toBe(3)
  await Promise.all([recorder.close(), idle.close()])
  await settled()
  expect(warnings).toEqual([
    'goldenrun could not finish the recording <id>: Error: the thread that writes recordings has ended. The run itself is not affected.',
    'goldenrun closed a recorder, and 24 of its 27 runs are not stored. See the warnings before for the reasons.',
  ])
  const traces = await readAll(directory.resolve('runs'))
  const whole = traces.filter(({ end }) => end !== undefined)
  expect(whole.map(({ end }) => end?.output)).toEqual([alone[3], alone[3], alone[3]])
  for (const trace of whole) await expectClean(trace, agent)
  // Of the others there is what was written by then, and the side effect that had started: a request of agent 0's, which had looked before.
  const cut = traces.filter(({ end }) => end === undefined)
  expect(cut.map(({ steps }) => steps.map(({ name }) => name))).toEqual(Array.from({ length: 24 }, () => [new URL(server.url).host]))
  expect(cut.filter(({ steps }) => steps[0]?.step === 2).length).toBe(3)
})
