import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen, type LocalServer } from '../../examples/world/listen.ts'
import { installDoors } from '../../src/boundaries/doors.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

type Undici = typeof import('undici7')

const require = createRequire(import.meta.url)
const undici = require('undici7') as Undici
let server: LocalServer

beforeAll(async () => {
  server = await listen(async (request, response) => {
    if (request.url === '/flaky' && request.headers['x-tries'] === undefined) tries += 1
    if (request.url === '/flaky' && tries % 2 === 1) return void response.writeHead(503).end()
    response.end(`answer to ${request.url}`)
  })
})
afterAll(() => server.close())

let tries = 0

/** Asks through a dispatcher. */
async function ask(dispatcher: InstanceType<Undici['Dispatcher']>, path: string): Promise<string> {
  const { body } = await dispatcher.request({ origin: server.url, path, method: 'GET' })
  return body.text()
}

/** A copy of undici that is in no module that can be found: one in a bundle. */
function loadHidden(): Undici {
  const names = (): string[] => Object.keys(require.cache).filter((name) => name.includes('undici7'))
  const known = names().map((name) => [name, require.cache[name]] as const)
  for (const [name] of known) delete require.cache[name]
  const hidden = require('undici7') as Undici
  for (const name of names()) delete require.cache[name]
  for (const [name, module] of known) require.cache[name] = module
  return hidden
}

it('takes its hands off the classes that it met', () => {
  const client = new undici.Client('http://127.0.0.1:1')
  const classes = [client, new undici.Agent(), new undici.RetryAgent(new undici.Agent())].map(
    (made) => Object.getPrototypeOf(made) as object,
  )
  const parts = [...new Set(classes.flatMap((part) => [part, Object.getPrototypeOf(part) as object]))]
  const descriptors = (): unknown[] =>
    [...parts, EventEmitter].flatMap((part) =>
      Reflect.ownKeys(part).map((key) => Object.getOwnPropertyDescriptor(part, key)?.value as unknown),
    )
  const before = descriptors()
  const release = installDoors()
  expect(descriptors().filter((value, index) => value !== before[index]).length).toBeGreaterThan(2)
  release()
  descriptors().forEach((value, index) => expect(value).toBe(before[index]))
})

it('leaves alone what only looks like a dispatcher', () => {
  class Store extends EventEmitter {
    readonly #actions: unknown[] = []
    dispatch(action: unknown, payload: unknown): unknown[] {
      this.#actions.push(action, payload)
      return this.#actions
    }
    close(): void {}
    destroy(): void {}
  }
  class Guarded extends EventEmitter {
    readonly #inner = new Store()
    get dispatch(): Store {
      return this.#inner
    }
  }
  const release = installDoors()
  expect(new Store().dispatch('add', { id: 1 })).toEqual(['add', { id: 1 }])
  expect(new Store().dispatch('clear', undefined)).toEqual(['clear', undefined])
  expect(new Guarded().dispatch).toBeInstanceOf(Store)
  release()
})

it('records once what passes through dispatchers in dispatchers', async () => {
  const composed = new undici.Agent().compose(undici.interceptors.redirect({ maxRedirections: 1 }))
  const agent = async (): Promise<string> => ask(composed, '/composed')
  const { trace } = await recordRun(agent)
  expect(rowsOf(trace, 'call').length).toBe(1)
  await expectClean(trace, agent)
  await composed.close()
})

it('records what a dispatcher composed before it makes of a call, retries included', async () => {
  const composed = new undici.Client(server.url).compose(undici.interceptors.retry({ minTimeout: 1, maxRetries: 2 }))
  const agent = async (): Promise<string> => ask(composed, '/flaky')
  const { trace, output } = await recordRun(agent)
  expect(output).toBe('answer to /flaky')
  expect(rowsOf(trace, 'head').map(({ status }) => status)).toEqual([503, 200])
  await expectClean(trace, agent)
  await composed.close()
})

it('keeps runs apart that wait for one connection', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs') })
  const pool = new undici.Pool(server.url, { connections: 1 })
  const agent = (input: number): Promise<string[]> => Promise.all([0, 1, 2].map((index) => ask(pool, `/run-${input}/${index}`)))
  const outputs = await Promise.all(Array.from({ length: 8 }, (_, input) => recorder.run({ agent: 'agent', input }, agent)))
  await recorder.close()
  expect(outputs).toEqual(Array.from({ length: 8 }, (_, input) => [0, 1, 2].map((index) => `answer to /run-${input}/${index}`)))
  const { readTrace } = await import('../../src/replay/traces/read-trace.ts')
  const { readdir } = await import('node:fs/promises')
  const files = (await readdir(directory.resolve('runs'))).filter((name) => name.endsWith('.runlog'))
  expect(files.length).toBe(8)
  for (const file of files) {
    const trace = await readTrace(directory.resolve('runs', file))
    const paths = trace.steps.map(({ input }) => new URL((input as { url: string }).url).pathname)
    expect(paths).toEqual([0, 1, 2].map((index) => `/run-${String(trace.header.input)}/${index}`))
  }
  await pool.close()
})

it('meets a copy in a bundle when it makes a dispatcher', async () => {
  const hidden = loadHidden()
  expect(hidden.Agent).not.toBe(undici.Agent)
  const agent = async (): Promise<string> => {
    const made = new hidden.Agent()
    return ask(made, '/bundled').finally(() => void made.destroy())
  }
  const { trace } = await recordRun(agent)
  expect(rowsOf(trace, 'note')).toEqual([])
  await expectClean(trace, agent)
})

it('meets a copy in a bundle whose dispatchers were made before when one sends, and notes what it missed', async () => {
  const hidden = loadHidden()
  const client = new hidden.Client(server.url)
  const { trace } = await recordRun(async () => [await ask(client, '/first'), await ask(client, '/second')])
  expect(rowsOf(trace, 'note')).toMatchObject([{ what: 'unrecorded-contact', where: expect.stringContaining(new URL(server.url).host) }])
  expect(rowsOf(trace, 'call').map(({ input }) => (input as { url: string }).url)).toEqual([`${server.url}/second`])
  await client.close()
})
