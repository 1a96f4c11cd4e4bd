import { expect, it } from 'vitest'
import { listTraces } from '../../src/replay/traces/list-traces.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import type { RunOptions } from '../../src/record/recorder-options.ts'
import { collectWarnings } from '../support/collect-warnings.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const warnings = collectWarnings()

/** What JavaScript, or a body that was cast, passes to `run`. */
const asOptions = (options: unknown): RunOptions<number, undefined> => options as RunOptions<number, undefined>

interface Recorded {
  readonly header?: { readonly agent: string; readonly agentVersion?: string; readonly tags?: unknown }
  readonly listed: readonly object[]
  readonly warned: readonly string[]
}

/** Records a run with such options, and reads it in every way. */
async function recordWith(options: object, thread = false): Promise<Recorded> {
  await using directory = await createTemporaryDirectory()
  const store = directory.resolve('runs')
  warnings.splice(0)
  const recorder = createRecorder({ store, thread })
  if (thread) await recorder.start()
  expect(await recorder.run(asOptions({ input: 1, ...options }), (input) => input + 1)).toBe(2)
  await recorder.close()
  await new Promise((resolve) => setImmediate(resolve))
  const listed = await listTraces({ store })
  const [run] = listed
  return { ...(run && { header: (await readTrace(run.id, { store })).header }), listed, warned: [...warnings] }
}

it.each([true, false])('records tags that are numbers and booleans as text, thread: %s', async (thread) => {
  const { header, listed, warned } = await recordWith(
    { agent: 'support', tags: { user: 42, isTrial: true, order: 7n, plan: 'free' } },
    thread,
  )
  const tags = { user: '42', isTrial: 'true', order: '7', plan: 'free' }
  expect(header?.tags).toEqual(tags)
  expect(listed).toMatchObject([{ tags }])
  expect(warned).toEqual([])
})

it('leaves out tags that cannot be text, and names them in one warning', async () => {
  const { header, listed, warned } = await recordWith({
    agent: 'support',
    tags: { user: null, session: { id: 1 }, roles: ['a'], later: () => 1, mark: Symbol('mark'), none: undefined, plan: 'free' },
  })
  expect(header?.tags).toEqual({ plan: 'free' })
  expect(listed).toMatchObject([{ tags: { plan: 'free' } }])
  expect(warned).toEqual([
    'goldenrun left out tags of a run of "support": "user" is null, "session" is an object, "roles" is an array, "later" is a function, "mark" is a symbol; tags have to be text. The run itself is not affected.',
  ])
})

const revoked = Proxy.revocable({}, {})
revoked.revoke()

it.each([
  ['null', null, 'null'],
  ['an array', ['a'], 'an array'],
  ['a string', 'user=42', 'a string'],
  ['a number', 42, 'a number'],
  ['a revoked proxy', revoked.proxy, 'an object that cannot be read'],
])('records a run whose tags are %s', async (_name, tags, what) => {
  const { header, listed, warned } = await recordWith({ agent: 'support', tags })
  expect(header?.tags).toBe(undefined)
  expect(listed).toMatchObject([{ agent: 'support', status: 'returned', tags: {} }])
  expect(warned).toEqual([
    `goldenrun left out tags of a run of "support": "tags" is ${what}, but has to be an object: { user: '42' }. The run itself is not affected.`,
  ])
})

it('records an agent and a version that are no strings as text', async () => {
  const { header, listed, warned } = await recordWith({ agent: 5, agentVersion: 1.4 })
  expect(header).toMatchObject({ agent: '5', agentVersion: '1.4' })
  expect(listed).toMatchObject([{ agent: '5', agentVersion: '1.4' }])
  expect(warned).toEqual([])
})

it('leaves out a version that cannot be text', async () => {
  const { header, warned } = await recordWith({ agent: 'support', agentVersion: { major: 1 } })
  expect(header?.agentVersion).toBe(undefined)
  expect(warned).toEqual([
    'goldenrun left out the version of a run of "support": "agentVersion" is an object, but has to be text. The run itself is not affected.',
  ])
})

it.each([
  ['no agent', {}, 'undefined'],
  ['null as agent', { agent: null }, 'null'],
  ['an object as agent', { agent: {} }, 'an object'],
  ['a symbol as agent', { agent: Symbol('a') }, 'a symbol'],
])('runs the agent unrecorded with %s', async (_name, options, what) => {
  const { listed, warned } = await recordWith(options)
  expect(listed).toEqual([])
  expect(warned).toEqual([
    `goldenrun could not record a run: its "agent" is ${what}, but has to be the agent's name: recorder.run({ agent: 'support', input }, supportAgent). The run itself is not affected.`,
  ])
})
