import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { replay } from '../../src/replay/replay.ts'
import { external } from '../../src/run/external.ts'
import { recordRun, rowsOf, startRecorder } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

/** Told of a slow request that has begun to be answered. */
let onSlow = (): void => undefined
const server = await listen(async (request, response) => {
  response.write('begun ')
  await sleep(2)
  // It never ends: whoever waits for it has to be told.
  if (request.url === '/slow') onSlow()
  else response.end('done')
})
afterAll(() => server.close())
const save = external('save', async (what: string): Promise<string> => what)

interface Context {
  readonly signal: AbortSignal
}

/** An agent that says how far it came when it is told to stop. */
async function agent(_input: unknown, { signal }: Context): Promise<unknown> {
  const seen: unknown[] = [signal.aborted]
  signal.addEventListener('abort', () => seen.push(`aborted: ${String(signal.reason)}`))
  try {
    for (const path of ['/quick', '/slow', '/quick']) {
      const response = await fetch(`${server.url}${path}`, { signal })
      seen.push(path, await response.text())
    }
  } catch (error) {
    seen.push((error as Error).name, await save('how far'))
  }
  return seen
}

/** Records the agent with a signal that somebody outside of the run raises. */
async function recordAborted(raise: (controller: AbortController) => void): ReturnType<typeof recordRun<Promise<unknown>>> {
  const controller = new AbortController()
  raise(controller)
  return await recordRun((input: undefined) => agent(input, { signal: controller.signal }), { context: { signal: controller.signal } })
}

it('is aborted in a replay as it was by somebody outside', async () => {
  const { trace } = await recordAborted((controller) => {
    onSlow = () => controller.abort()
  })
  expect(trace.end?.output).toMatchObject([
    false,
    '/quick',
    'begun done',
    'aborted: AbortError: This operation was aborted',
    'AbortError',
    'how far',
  ])
  for (let time = 0; time < 10; time += 1) await expectClean(trace, agent as never)

  // Without the row, the agent would be through with all three.
  const deaf = await replay(trace, (input: unknown) => agent(input, { signal: new AbortController().signal }))
  expect(deaf.divergences.length).toBeGreaterThan(0)
})

it('finds the signal as it was when the run began', async () => {
  const { trace } = await recordAborted((controller) => controller.abort('too late'))
  expect(trace.end?.output).toEqual([true, undefined, 'how far'])
  expect(rowsOf(trace, 'signal')).toMatchObject([{ name: 'context.signal', value: 'too late', sameTick: true }])
  await expectClean(trace, agent as never)
})

it('aborts an agent that waits for it and no longer makes the calls before it', async () => {
  let isWaiting = false
  const waiting =
    (saves: boolean) =>
    async (_input: unknown, { signal }: Context): Promise<string> => {
      const aborted = new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted')))
      if (saves) await save('the way here')
      isWaiting = true
      return `ended: ${String(await aborted)}`
    }
  const controller = new AbortController()
  const context = { signal: controller.signal }
  // From outside, and not before the agent listens.
  const outside = setInterval(() => isWaiting && controller.abort(), 5)
  const { trace } = await recordRun((input: undefined) => waiting(true)(input, context), { context })
  clearInterval(outside)
  await expectClean(trace, waiting(true) as never)
  const run = await replay(trace, waiting(false) as never)
  expect(run.divergences.map(({ cause, name }) => `${cause} ${name}`)).toEqual(['missing-call save'])
  expect(run.outcome).toEqual({ status: 'returned', output: 'ended: aborted' })
})

it('sees a difference where the agent stops listening', async () => {
  const { trace } = await recordAborted((controller) => {
    onSlow = () => controller.abort()
  })
  const run = await replay(trace, async () => {
    const seen: unknown[] = [false]
    for (const path of ['/quick', '/slow', '/quick']) seen.push(path, await (await fetch(`${server.url}${path}`)).text())
    return seen
  })
  expect(run.divergences.length).toBeGreaterThan(0)
})

it('tells of a client that disconnects by the signal that its server raises', async () => {
  await using recorder = await startRecorder()
  const runs: ReturnType<typeof recorder.record>[] = []
  const service = http.createServer((request, response) => {
    const controller = new AbortController()
    response.on('close', () => controller.abort(new Error('client disconnected')))
    const context = { signal: controller.signal }
    runs.push(recorder.record((input: undefined) => agent(input, context), { context }))
    request.resume()
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as { port: number }
  const client = http.get({ host: '127.0.0.1', port })
  client.on('error', () => undefined)
  onSlow = () => client.destroy()
  await new Promise((resolve) => client.on('close', resolve))
  while (runs.length === 0) await sleep(1)
  const [{ trace }] = (await Promise.all(runs)) as [Awaited<(typeof runs)[number]>]
  await new Promise((resolve) => service.close(resolve))
  expect(rowsOf(trace, 'signal')).toMatchObject([{ name: 'context.signal' }])
  expect(JSON.stringify(trace.end?.output)).toContain('client disconnected')
  await expectClean(trace, agent as never)
})
