import { AsyncResource } from 'node:async_hooks'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import net from 'node:net'
import { MessageChannel } from 'node:worker_threads'
import { afterAll, beforeEach, expect, it } from 'vitest'
// oxlint-disable-next-line import/no-unassigned-import -- it says what is a test's own
import '../../src/vitest/mark-tests.ts'
import { createReport } from '../../src/divergence/create-report.ts'
import { guardProcess } from '../../src/boundaries/contact/guard.ts'
import { replay } from '../../src/replay/replay.ts'
import { live } from '../../src/run/live.ts'
import type { ReplayOptions } from '../../src/replay/contract/replay-options.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { recordRun } from '../support/record-run.ts'

const seen = { connections: 0, requests: 0 }
const server = createServer((_request, response) => {
  seen.requests += 1
  response.end('hello')
})
server.on('connection', () => (seen.connections += 1))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as { readonly port: number }
const url = `http://127.0.0.1:${port}`
afterAll(() => server.close())

/** Runs in the context that modules load in. */
const runInNoTest = AsyncResource.bind(<Result>(body: () => Result): Result => body())

/** What the module of an agent makes when it loads: of no run, and of no test. */
const jobs: (() => unknown)[] = []
const asked = new EventEmitter()
asked.on(
  'job',
  AsyncResource.bind(() => void jobs.shift()?.()),
)
const { port1, port2 } = new MessageChannel()
port2.on('message', () => void jobs.shift()?.())
afterAll(() => port1.close())
let waiting: (() => void) | undefined
void (async () => {
  for (;;) {
    await new Promise<void>((resolve) => (waiting = resolve))
    jobs.shift()?.()
  }
})()
const ticking = setInterval(() => void jobs.shift()?.(), 2)
afterAll(() => clearInterval(ticking))

const ways: readonly (readonly [way: string, go: () => void])[] = [
  ['a bound function', () => void asked.emit('job')],
  ['a message channel', () => port1.postMessage('job')],
  ['a loop that waits', () => waiting?.()],
  ['an interval', () => undefined],
]

const contacts: readonly (readonly [contact: string, make: () => Promise<unknown>])[] = [
  ['fetch', async () => await (await fetch(url)).text()],
  ['socket', () => once(net.connect(port, '127.0.0.1'), 'connect')],
]

it.each(ways.flatMap(([way, go]) => contacts.map(([contact, make]) => [way, contact, go, make] as const)))(
  'refuses and finds what %s does that a module has made: %s',
  async (_way, _contact, go, make) => {
    for (const isCaught of [true, false]) {
      const { trace } = await recordRun(async () => 'done')
      const before = { ...seen }
      const run = await replay(trace, async () => {
        await new Promise<unknown>((resolve, reject) => {
          jobs.push(() => make().then(resolve, isCaught ? resolve : reject))
          go()
        })
        return 'done'
      })
      expect(run.divergences).toMatchObject([{ cause: 'unrecorded-contact', name: `tcp 127.0.0.1:${port}`, isLost: true }])
      expect(seen).toEqual(before)
    }
  },
)

/** Replays a run in which the module's loop makes a contact, and the run does not wait for it. */
async function replayWith(make: () => Promise<unknown>, options: ReplayOptions = {}): Promise<ReplayedRun> {
  const { trace } = await recordRun(async () => 'done')
  return await replay(
    trace,
    async () => {
      await new Promise<void>((resolve) => {
        jobs.push(() =>
          make().then(
            () => resolve(),
            () => resolve(),
          ),
        )
        waiting?.()
      })
      return 'done'
    },
    options,
  )
}

const askServer = async (): Promise<string> => await (await fetch(url, { headers: { connection: 'close' } })).text()

it('lets pass what is declared: the host, or all that is not the run', async () => {
  for (const options of [{ guard: 'run' }, { live: ['localhost'] }, { live: [`127.0.0.1:${port}`] }] as const) {
    const before = seen.requests
    expect((await replayWith(askServer, options)).divergences).toEqual([])
    expect(seen.requests).toBe(before + 1)
  }
})

it('refuses what goes to a muted host, and finds nothing in it', async () => {
  const before = { ...seen }
  const run = await replayWith(askServer, { mute: [`127.0.0.1:${port}`] })
  expect([run.divergences, run.outcome.status, seen]).toEqual([[], 'returned', before])
})

it('finds nothing in what goes to a collector of OpenTelemetry', async () => {
  const run = await replayWith(() => once(net.connect(4318, '127.0.0.1'), 'connect'))
  expect([run.divergences, run.outcome.status]).toEqual([[], 'returned'])
})

it('finds what a recorded run that is over has left behind', async () => {
  let goOn: (() => void) | undefined
  let through: (() => void) | undefined
  const { trace } = await recordRun(async () => {
    void new Promise<void>((resolve) => (goOn = resolve))
      .then(askServer)
      .catch(() => undefined)
      .then(() => through?.())
    return 'done'
  })
  const before = { ...seen }
  const run = await replay(trace, async () => {
    await new Promise<void>((resolve) => {
      through = resolve
      goOn?.()
    })
    return 'done'
  })
  expect(run.divergences.map(({ name }) => name)).toContain(`tcp 127.0.0.1:${port}`)
  expect(seen).toEqual(before)
})

it.each(['a replay', 'a guarded process'])('lets a pool connect again that a recorded run has used, in %s', async (where) => {
  let again: (() => Promise<string>) | undefined
  const { trace } = await recordRun(async () => {
    // As a pool does: a lost connection is opened again in the context of the call that had opened it.
    await live('prices', async () => (again = AsyncResource.bind(askServer)))
    return 'done'
  })
  const [before, refused] = [seen.requests, [] as string[]]
  const remove = where === 'a replay' ? undefined : guardProcess({ onRefused: ({ host }) => void refused.push(host) })
  const run = await replay(trace, async () => {
    await live('prices', async () => await again?.())
    return 'done'
  })
  remove?.()
  expect([run.outcome, run.divergences, refused, seen.requests]).toMatchObject([{ status: 'returned' }, [], [], before + 1])
})

let hooksGoOn: (() => void) | undefined
let fromHook: Promise<string> | undefined
beforeEach(() => {
  const wait = new Promise<void>((resolve) => (hooksGoOn = resolve))
  fromHook = wait.then(askServer)
})

it('lets calls of a test and of its hooks pass during a replay', async () => {
  const { trace } = await recordRun(async () => 'done')
  const own: Promise<string>[] = []
  const emitter = new EventEmitter()
  emitter.on(
    'own',
    AsyncResource.bind(() => void own.push(askServer())),
  )
  const before = seen.requests
  const run = await replay(trace, async () => {
    emitter.emit('own')
    hooksGoOn?.()
    await new Promise((resolve) => setTimeout(resolve, 1))
    return 'done'
  })
  expect(await Promise.all([...own, fromHook])).toEqual(['hello', 'hello'])
  expect([run.divergences, seen.requests]).toEqual([[], before + 2])
})

it('says whose it is, where, and what to do', async () => {
  const report = createReport(await replayWith(askServer))
  expect(`${report.headline}\n${report.explanation}`).toMatch(/unrecorded contact.*Code outside of any run or test/s)
  expect(report.advice.map(({ words }) => words).join('\n')).toContain(`live: ['127.0.0.1:${port}']`)
})

it('guards only its run when the test is unknown', async () => {
  const before = seen.requests
  const { trace } = await recordRun(async () => 'done')
  const run = await runInNoTest(() =>
    replay(trace, async () => {
      await new Promise<void>((resolve) => {
        jobs.push(() =>
          askServer().then(
            () => resolve(),
            () => resolve(),
          ),
        )
        waiting?.()
      })
      return 'done'
    }),
  )
  expect([run.divergences, seen.requests]).toEqual([[], before + 1])
})
