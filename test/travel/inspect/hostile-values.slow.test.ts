import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json } from '../../../src/trace/json.ts'
import type { InspectedRun } from '../../../src/travel/inspect/inspected-run.ts'
import { createInspectedProject, type InspectedProject, stepOf, variable } from './inspected-project.ts'

// An agent whose variables run code when they are read, or hold what must not be shown. It tells in its output what was called.

const agent = `
import { tool } from 'goldenrun'

let called: string[] = []
const note = (name: string): string => { called.push(name); return name }
const ask = tool('ask', { effect: 'read' }, async ({ about }: { about: string }) => ({ about }))

class Account {
  #balance = 42
  #owner = { name: 'Ada' }
  get #doubled() { return note('private getter') }
  get total() { return note('class getter') }
  toString() { return note('toString') }
  toJSON() { return note('toJSON') }
  [Symbol.toPrimitive]() { return note('toPrimitive') }
  get [Symbol.toStringTag]() { return note('toStringTag') }
  spend() { return this.#balance + this.#owner.name + this.#doubled }
}

class Failed extends Error {
  detail = 'of the agent'
  constructor(message: string) {
    super(message)
    Object.defineProperty(this, 'stack', { get: () => note('stack') })
  }
}

class Holder {
  #error = new Failed('private')
  shown = new Failed('shown')
  read() { return this.#error }
}

class Counting extends Map<string, number> {
  override forEach() { note('forEach') }
  override entries() { note('entries'); return super.entries() }
  override get size() { note('size'); return 0 }
  override [Symbol.iterator]() { note('iterator'); return super.entries() }
}

export async function hostile({ secretName }: { secretName: string }): Promise<string[]> {
  called = []
  Error.prepareStackTrace = (error, frames) => { note('prepareStackTrace'); return String(frames.length) }
  const throwing = { id: 1, get price(): number { note('getter'); throw new Error('no') }, set price(_value: number) { note('setter') } }
  const traps = Object.fromEntries(Reflect.ownKeys(Reflect).flatMap((name) => typeof name === 'string' ? [[name, (...args: unknown[]) => { note('trap ' + name); return Reflect.apply(Reflect[name as never], undefined, args) }]] : []))
  const proxy = new Proxy({ secret: 1 }, traps)
  const nested = { list: [proxy, new Proxy([1, 2], traps), new Proxy(() => 1, traps)] }
  const heir = Object.create(new Proxy({}, traps)) as object
  const account = new Account()
  const failed = new Failed('it broke')
  const holder = new Holder()
  const plain = new TypeError('wrong type', { cause: { code: 7 } })
  const counting = new Counting([['a', 1]])
  const huge = Array.from({ length: 1_000_000 }, (_, index) => index)
  const sparse: number[] = []
  sparse[5_000_000] = 1
  const wide = Object.fromEntries(huge.slice(0, 5000).map((index) => ['key' + index, index]))
  const long = 'x'.repeat(3_000_000)
  let deep: { next?: object; level: number } = { level: 0 }
  for (let level = 1; level < 1000; level += 1) deep = { next: deep, level }
  const cycle: { name: string; self?: object; list?: object[] } = { name: 'ring' }
  cycle.self = cycle
  cycle.list = [cycle]
  const symbol = Symbol('mark')
  const marked = { [symbol]: 'by symbol', '$': 'dollar', ['__proto__']: 'own' }
  const numbers = [Number.NaN, -0, 9007199254740993n, undefined, null, new Date(0), /a+/gi]
  const bytes = new Uint8Array(10_000)
  const set = new Set([1, { two: 2 }])
  const openaiKey = 'sk-proj-a1b2c3d4e5f6g7h8i9j0k1l2'
  const password = 'hunter2-hunter2'
  const header = { authorization: 'Bearer abcdef0123456789abcdef0123456789' }
  const fromEnvironment = { url: 'https://example.com/' + process.env[secretName], all: process.env }
  const boxed = Object('text') as object
  const never = new Promise(() => undefined)
  const weak = new WeakMap([[account, 1]])
  const several = new AggregateError([new Error('one'), 'two'], 'both')
  const generator = (function* () { yield 1 })()
  const iterator = new Map([[1, 2]]).entries()
  const tagged = Object.assign([1], { kind: 'odd' })
  const match = /(?<year>\\d+)/.exec('in 2026')
  const named = Object.assign(new Map([['a', 1]]), { label: 'counts' })
  const listed = Object.assign(new (class Rows extends Array<number> {})(), { total: 3 })
  called = []
  const answer = await ask({ about: 'everything' })
  const kept = [...called]
  void [throwing, proxy, nested, heir, account, failed, holder, plain, counting, huge, sparse, wide, long, deep, cycle, marked, numbers, bytes, set, openaiKey, password, header, fromEnvironment, boxed, never, weak, several, generator, iterator, tagged, match, named, listed, answer]
  return kept
}
`

let project: InspectedProject
let run: InspectedRun

const env = { SERVICE_TOKEN: 'very-secret-value-of-this-machine' }

beforeAll(async () => {
  project = await createInspectedProject({ hostile: './agent.ts#hostile' }, { 'agent.ts': agent })
  await project.record('hostile', { secretName: 'SERVICE_TOKEN' }, env)
  run = await project.inspect(['latest'], env)
})

afterAll(() => project[Symbol.asyncDispose]())

const read = (name: string): Json | undefined => variable(stepOf(run, 1).frames, 'hostile', name)

it('runs nothing of the agent', async () => {
  const { stdout } = await project.run(['show', 'latest', '--json'])
  const trace = JSON.parse(stdout) as { readonly hash: string; readonly end: object }
  // The agent returns what was called while it was read: nothing, as in production.
  expect(trace.end).toMatchObject({ output: [] })
  expect([run.outcome, run.hash]).toEqual(['returned', trace.hash])
  expect(variable(stepOf(run, 1).after, 'hostile', 'kept')).toBeUndefined()
  expect(variable(stepOf(run, 1).after, 'hostile', 'answer')).toEqual({ about: 'everything' })
})

it('names getters and proxies, and does not read them', () => {
  expect(read('throwing')).toEqual({ id: 1, price: { $: { getter: true } } })
  expect(read('proxy')).toEqual({ $: { proxy: true } })
  expect(read('nested')).toEqual({ list: [{ $: { proxy: true } }, { $: { proxy: true } }, { $: { proxy: true } }] })
  expect(read('heir')).toEqual({})
})

it('reads private fields, errors and collections past their own methods', () => {
  expect(read('account')).toEqual({
    $: { class: 'Account' },
    '#balance': 42,
    '#owner': { name: 'Ada' },
    '#doubled': { $: { getter: true } },
  })
  expect(read('failed')).toEqual({ $: { error: 'Failed' }, message: 'it broke', detail: 'of the agent' })
  expect(read('holder')).toEqual({
    $: { class: 'Holder' },
    shown: { $: { error: 'Failed' }, message: 'shown', detail: 'of the agent' },
    '#error': { $: { error: 'Failed' }, message: 'private', detail: 'of the agent' },
  })
  expect(read('plain')).toEqual({ $: { error: 'TypeError' }, message: 'wrong type', cause: { code: 7 } })
  expect(read('counting')).toEqual({ $: { class: 'Counting', map: [['a', 1]] } })
  expect(read('set')).toEqual({ $: { set: [1, { two: 2 }] } })
})

it('names generators and iterators, and reads the own fields of errors and collections', () => {
  expect(read('several')).toEqual({
    $: { error: 'AggregateError' },
    message: 'both',
    errors: [{ $: { error: 'Error' }, message: 'one' }, 'two'],
  })
  expect([read('generator'), read('iterator')]).toEqual([{ $: { class: 'Generator' } }, { $: { class: 'Map Iterator' } }])
  expect(read('tagged')).toEqual({ $: { items: [1] }, kind: 'odd' })
  expect(read('match')).toMatchObject({ $: { items: ['2026', '2026'] }, index: 3, input: 'in 2026', groups: { year: '2026' } })
  expect(read('named')).toEqual({ $: { map: [['a', 1]] }, label: 'counts' })
  expect(read('listed')).toEqual({ $: { class: 'Rows', items: [] }, total: 3 })
})

it('prints a field that is called $, and finds it', async () => {
  const printed = await project.run(['inspect', 'latest', '--at', '1'], env)
  expect(printed.stdout).toMatch(/^ {4}marked = \{ \$: "dollar", /m)
  expect(printed.stdout).toMatch(/^ {4}tagged = \[1\] \{ kind: "odd" \}$/m)
  const found = await project.run(['inspect', 'latest', '--find', 'marked.$'], env)
  expect(found.stdout).toMatch(/^before step 1 {2}hostile .*"dollar"\n$/)
})

it('bounds what is huge', () => {
  const huge = read('huge') as readonly Json[]
  expect(huge).toHaveLength(41)
  expect([huge[0], huge[20], huge[40]]).toEqual([0, { $: { more: 999_960 } }, 999_999])
  expect(read('sparse')).toHaveLength(41)
  expect(Object.keys(read('wide') as object)).toHaveLength(41)
  expect(read('long')).toEqual({ $: { text: 'x'.repeat(2000), length: 3_000_000 } })
  expect(JSON.stringify(read('deep'))).toMatch(/^\{"next":(?:\{"next":){5}\{"\$":\{"class":"Object","unread":"depth"\}\}/)
  expect(JSON.stringify(run).length).toBeLessThan(1_000_000)
})

it('follows no cycle, and keeps symbols and what JSON has no word for', () => {
  expect(read('cycle')).toEqual({ name: 'ring', self: { $: { cycle: 1 } }, list: [{ $: { cycle: 2 } }] })
  const marked = read('marked') as object
  expect(Object.entries(marked)).toEqual([
    ['"$"', 'dollar'],
    ['__proto__', 'own'],
    ['Symbol(mark)', 'by symbol'],
  ])
  expect(read('symbol')).toEqual({ $: { symbol: 'mark' } })
  expect(read('numbers')).toEqual([
    { $: { number: 'NaN' } },
    { $: { number: '-0' } },
    { $: { bigint: '9007199254740993' } },
    { $: { undefined: true } },
    null,
    { $: { date: '1970-01-01T00:00:00.000Z' } },
    { $: { regexp: ['a+', 'gi'] } },
  ])
  expect(read('bytes')).toEqual({ $: { class: 'Uint8Array', bytes: 10_000 } })
  expect(read('boxed')).toEqual({ $: { class: 'String', boxed: 'text' } })
  expect([read('never'), read('weak')]).toEqual([{ $: { class: 'Promise' } }, { $: { class: 'WeakMap' } }])
})

it('redacts secrets as the trace does, and masks the environment', () => {
  const told = JSON.stringify(run)
  for (const secret of ['sk-proj-a1b2c3d4e5f6g7h8i9j0k1l2', 'hunter2', 'abcdef0123456789', env.SERVICE_TOKEN])
    expect(told).not.toContain(secret)
  expect(read('openaiKey')).toMatch(/^sk-/)
  expect(read('fromEnvironment')).toEqual({ url: 'https://example.com/<env SERVICE_TOKEN>', all: { $: { object: 'process.env' } } })
})
