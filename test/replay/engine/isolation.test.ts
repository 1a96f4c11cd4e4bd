import { afterAll, expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { createRecorder } from '../../../src/record/recorder.ts'
import { replay } from '../../../src/replay/replay.ts'
import { currentRun } from '../../../src/run/current-run.ts'
import { live } from '../../../src/run/live.ts'
import { tool } from '../../../src/run/tool.ts'
import { httpRequest } from '../../support/http-request.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'

const server = await listen(async (request, response) => void response.end(`real ${request.url}`))
afterAll(() => server.close())
const gone = await listen(async (request, response) => void setTimeout(() => response.end(`recorded ${request.url}`), 3))
const wait = (delay: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay))

const agent = async (name: unknown): Promise<unknown> => {
  const answers = await Promise.all(['a', 'b'].map(async (path) => (await fetch(`${gone.url}/${String(name)}/${path}`)).text()))
  await wait(4)
  return [
    answers,
    Math.random(),
    Date.now(),
    currentRun()?.mode === 'replay' ? 'run' : (currentRun()?.mode ?? 'none').replace('record', 'run'),
  ]
}
const names = Array.from({ length: 8 }, (_, index) => `run-${index}`)
const traces = await Promise.all(names.map(async (name) => (await recordRun(agent, { input: name })).trace))
await gone.close()

it('replays any number of runs at once, each its own', async () => {
  await Promise.all(traces.map((trace) => expectCleanAt(trace)))
})

async function expectCleanAt(trace: (typeof traces)[number]): Promise<void> {
  for (let time = 0; time < 3; time += 1) {
    const run = await replay(trace, agent)
    expect([run.divergences, run.outcome, run.hash]).toEqual([[], { status: 'returned', output: trace.end?.output }, trace.hash])
  }
}

it('touches nothing of the test that runs beside it', async () => {
  const [trace] = traces
  if (trace === undefined) throw new Error('not recorded')
  const replaying = Promise.all(Array.from({ length: 20 }, () => replay(trace, agent)))
  const fired: string[] = []
  setTimeout(() => fired.push('timer'), 1)
  const text = await (await fetch(`${server.url}/fetch`)).text()
  const { body } = await httpRequest(`${server.url}/http`)
  await wait(5)
  expect([text, body.toString(), fired, currentRun()]).toEqual(['real /fetch', 'real /http', ['timer'], undefined])
  for (const run of await replaying) expect(run.divergences).toEqual([])
})

it('records and replays at the same time', async () => {
  const other = await listen(async (request, response) => void response.end(`live ${request.url}`))
  const [trace] = traces
  if (trace === undefined) throw new Error('not recorded')
  const [recorded, replayed] = await Promise.all([recordRun(async () => (await fetch(`${other.url}/x`)).text()), replay(trace, agent)])
  await other.close()
  expect([recorded.output, recorded.trace.steps.length]).toEqual(['live /x', 1])
  expect(replayed.divergences).toEqual([])
})

it('leaves the global doors as they were', async () => {
  const { fetch: before, Date: dateBefore, setTimeout: timeoutBefore } = globalThis
  const { random } = Math
  const [trace] = traces
  if (trace === undefined) throw new Error('not recorded')
  await replay(trace, agent)
  expect([
    globalThis.fetch === before,
    globalThis.Date === dateBefore,
    globalThis.setTimeout === timeoutBefore,
    Math.random === random,
  ]).toEqual([true, true, true, true])
})

it('lets a call that is declared live through to the world', async () => {
  const look = tool('look', {}, async (name: string) => name)
  const use = async (): Promise<unknown> => {
    const real = await live('a health check', async () => (await fetch(`${server.url}/live`)).text())
    return [real, await look('a'), await live('another', async () => (await httpRequest(`${server.url}/live`)).body.toString())]
  }
  const { trace, output } = await recordRun(use)
  expect(output).toEqual(['real /live', 'a', 'real /live'])
  const run = await replay(trace, use)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('records nothing where a replayed agent has a recorder of its own', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs') })
  const look = tool('look', {}, async (name: string) => name)
  const served = (input: string): Promise<unknown> => recorder.run({ agent: 'served', input }, look)
  const { trace } = await recordRun(served, { input: 'a' })
  const before = recorder.stats()
  await expectClean(trace, served)
  expect(recorder.stats()).toEqual(before)
  await recorder.close()
})

it('answers nothing to what the agent leaves running behind', async () => {
  let late: Promise<unknown> | undefined
  const { trace } = await recordRun(() => 'done')
  const run = await replay(trace, () => {
    late = wait(1000).then(() => fetch(`${server.url}/late`))
    late.catch(() => undefined)
    return 'done'
  })
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'done' }])
  const settled = Promise.resolve(late).then(
    () => 'answered',
    () => 'refused',
  )
  expect(await Promise.race([settled, wait(50).then(() => 'never settles')])).not.toBe('answered')
})

it('says of a write that was left running behind that it was not in the recording', async () => {
  const { trace } = await recordRun(() => 'done')
  const run = await replay(trace, () => {
    setImmediate(() => void fetch(`${server.url}/late`, { method: 'POST' }).catch(() => undefined))
    return 'done'
  })
  expect(run.divergences.map(({ cause, step, position }) => [cause, step, position])).toEqual([['unexpected-call', 0, 'after']])
})
