import { writeFile } from 'node:fs/promises'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { tool } from '../../src/run/tool.ts'
import type { TraceStore, TraceWriter } from '../../src/stores/trace-store.ts'
import { collectWarnings } from '../support/collect-warnings.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const server = await listen(async (_request, response) => void response.end('{"ok":true}'))
afterAll(() => server.close())

const warnings = collectWarnings()

const refund = tool('refund', { effect: 'write' }, async (amount: number) => amount)
const now = tool('now', {}, () => 1)

/** Crosses every boundary once. */
async function agent(input: number): Promise<unknown> {
  const answer = await (await fetch(server.url, { method: 'POST', body: 'x' })).json()
  await new Promise((resolve) => setTimeout(resolve, 1))
  checkpoint('answered', { answer, at: Date.now() > 0, random: Math.random() < 1 })
  return { input, answer, refunded: await refund(input), now: now() }
}
const expected = { input: 7, answer: { ok: true }, refunded: 7, now: 1 }

function brokenStore(broken: Partial<TraceWriter> & { open?: () => never }): TraceStore {
  const writer: TraceWriter = { write: () => undefined, flush: () => undefined, close: () => undefined, ...broken }
  return { open: broken.open ?? (() => writer), list: async () => [], read: async () => undefined }
}

function fail(): never {
  throw new Error('the disk is full')
}

/** The warnings so far: Node emits them in a turn of their own. */
async function warned(): Promise<string[]> {
  await new Promise((resolve) => setImmediate(resolve))
  return warnings.map((message) => message.replace(/\d{8}-\d+-[0-9a-f]{8}/, '<id>'))
}

it('runs the agent where a recording cannot be begun', async () => {
  const recorder = createRecorder({ store: brokenStore({ open: fail }) })
  expect(await recorder.run({ agent: 'support', input: 7 }, agent)).toEqual(expected)
  expect(recorder.stats()).toMatchObject({
    recorded: 0,
    watching: 0,
    active: 0,
    failed: 1,
    flagged: 0,
    sampledOut: 0,
    unindexed: 0,
    muted: 0,
    cut: 0,
    waitingBytes: 0,
  })
  expect(await warned()).toEqual([
    'goldenrun could not record a run of "support": Error: the disk is full. The run itself is not affected.',
  ])
  await recorder.close()
})

it('runs the agent where the directory cannot be made', async () => {
  await using directory = await createTemporaryDirectory()
  await writeFile(directory.resolve('runs'), 'a file')
  const recorder = createRecorder({ store: directory.resolve('runs') })
  expect(await recorder.run({ agent: 'support', input: 7 }, agent)).toEqual(expected)
  await recorder.close()
  expect(recorder.stats().failed).toBe(1)
})

it('runs the agent to its end whichever row cannot be written, and says so once', async () => {
  for (let limit = 0; limit < 12; limit += 1) {
    let rows = 0
    const write = (): void => {
      rows += 1
      if (rows > limit) fail()
    }
    const recorder = createRecorder({ store: brokenStore({ write }) })
    expect(await recorder.run({ agent: 'support', input: 7 }, agent)).toEqual(expected)
    expect(recorder.stats()).toMatchObject({
      recorded: 0,
      watching: 0,
      active: 0,
      failed: 1,
      flagged: 0,
      sampledOut: 0,
      unindexed: 0,
      muted: 0,
      cut: 0,
      waitingBytes: 0,
    })
    expect((await warned()).length).toBe(1)
    warnings.splice(0)
    // After the first row that failed no other is tried.
    expect(rows).toBe(limit + 1)
    await recorder.close()
  }
})

it('runs the agent to its end where what was written cannot be handed over', async () => {
  const recorder = createRecorder({ store: brokenStore({ flush: fail }) })
  expect(await recorder.run({ agent: 'support', input: 7 }, agent)).toEqual(expected)
  expect(recorder.stats()).toMatchObject({ recorded: 0, failed: 1 })
  expect(await warned()).toEqual([
    'goldenrun could not finish the recording <id>: Error: the disk is full. The run itself is not affected.',
  ])
  await recorder.close()
})

it('counts a recording as failed that cannot be closed', async () => {
  const recorder = createRecorder({ store: brokenStore({ close: fail }) })
  expect(await recorder.run({ agent: 'support', input: 7 }, agent)).toEqual(expected)
  await recorder.close()
  expect(recorder.stats()).toMatchObject({ recorded: 0, failed: 1 })
})

it('runs the agent to its end where a store fails at whatever it may be able to do beside', async () => {
  const down = (): Promise<never> => Promise.reject(new Error('the store is down'))
  const able = brokenStore({ discard: () => undefined })
  const broken: readonly (readonly [store: TraceStore, failed: number, warning: RegExp])[] = [
    [{ ...able, index: fail }, 1, /^goldenrun could not (record|finish) .*: Error: the disk is full/],
    [{ ...able, find: fail }, 1, /^goldenrun could not record a run of "support": Error: the disk is full/],
    [{ ...able, find: down }, 0, /^$/],
    [{ ...brokenStore({ discard: fail }), find: down }, 1, /^goldenrun could not finish .*: Error: the disk is full/],
    [{ ...able, flush: down }, 0, /^goldenrun: a store could not write its buffered rows: Error: the store is down\. /],
    [{ ...able, list: down, read: down, remove: down, flag: down }, 0, /^$/],
  ]
  for (const [store, failed, warning] of broken) {
    const sample = { rest: 0, ...(store.find === undefined ? {} : { newVersions: 1 }) }
    const recorder = createRecorder({ store, sample })
    // The second one is of no new version, and not kept.
    for (const input of [7, 7])
      expect(await recorder.run({ agent: 'support', agentVersion: '1', input }, agent)).toEqual({ ...expected, input })
    await recorder.close()
    expect(recorder.stats().failed > 0).toBe(failed > 0)
    expect((await warned()).join()).toMatch(warning)
    warnings.splice(0)
  }
})

it('runs the agent to its end where methods of a store give promises that reject, and says which may not', async () => {
  // What a store does that is written in JavaScript.
  const down = (() => Promise.reject(new Error('the store is down'))) as unknown as () => never
  const able = brokenStore({ discard: () => undefined })
  const broken: Readonly<Record<string, TraceStore>> = {
    open: { ...able, open: down },
    write: brokenStore({ write: down }),
    flush: brokenStore({ flush: down }),
    close: brokenStore({ close: down }),
    discard: brokenStore({ discard: down }),
    index: { ...able, index: down },
  }
  for (const [method, store] of Object.entries(broken)) {
    const recorder = createRecorder({ store, sample: { rest: method === 'discard' ? 0 : 1 } })
    expect(await recorder.run({ agent: 'support', input: 7 }, agent)).toEqual(expected)
    await recorder.close()
    expect(recorder.stats()).toMatchObject({ recorded: 0, active: 0, failed: 1 })
    expect(await warned()).toEqual([
      expect.stringContaining(`TypeError: "${method}" of the store returned a promise, but has to finish synchronously. The run itself`),
    ])
    warnings.splice(0)
  }
})

it('throws on what the agent throws where the recording failed too', async () => {
  const recorder = createRecorder({ store: brokenStore({ write: fail }) })
  const error = new Error('no luck')
  await expect(recorder.run({ agent: 'support', input: 7 }, () => Promise.reject(error))).rejects.toBe(error)
  await recorder.close()
})

it('refuses an unknown option and an invalid store', () => {
  // @ts-expect-error an unknown option
  expect(() => createRecorder({ store: 'runs', sampling: 1 })).toThrow('sampling')
  // @ts-expect-error no store
  expect(() => createRecorder({ store: 5 })).toThrow('has to be a directory or a store')
  expect(() => createRecorder({ store: '' })).toThrow('has to be a directory or a store')
})

it.each([
  ['undefined', undefined, 'nothing'],
  ['null', null, 'null'],
  ['a text', 'file', "'file'"],
  ['a writer that cannot close', { write: () => undefined, flush: () => undefined }, 'an object without the method "close"'],
])('says what a store did wrong whose "open" gives %s', async (_name, opened, what) => {
  await warned()
  warnings.splice(0)
  const recorder = createRecorder({ store: { ...brokenStore({}), open: () => opened as unknown as TraceWriter } })
  expect(await recorder.run({ agent: 'support', input: 7 }, agent)).toEqual(expected)
  await recorder.close()
  expect(await warned()).toEqual([
    `goldenrun could not record a run of "support": TypeError: "open" of the store returned ${what}, but has to return a writer: { write, flush, close }. The run itself is not affected.`,
  ])
})

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const traps = ['ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor', 'has'] as const
const results: readonly [name: string, makeResult: () => object][] = [
  ['holds a revoked proxy', () => ({ held: revokedProxy() })],
  ['holds a revoked proxy beside a stream', () => ({ held: revokedProxy(), stream: new ReadableStream() })],
  ...traps.map((trap): [string, () => object] => [`is a proxy whose ${trap} trap throws`, () => new Proxy({ a: 1 }, { [trap]: fail })]),
  ...traps.map((trap): [string, () => object] => [
    `holds a proxy whose ${trap} trap throws`,
    () => ({ held: new Proxy({ a: 1 }, { [trap]: fail }) }),
  ]),
]

it.each(results)('gives the caller a result that %s', async (_name, makeResult) => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs'), thread: false })
  const made = makeResult()
  const result = await recorder.run({ agent: 'support', input: 7 }, () => made)
  await recorder.close()
  // An assertion would look into what throws. A result with a stream is wrapped.
  const isSame = result === made || Reflect.get(result, 'held') === Reflect.get(made, 'held')
  expect(isSame).toBe(true)
})
