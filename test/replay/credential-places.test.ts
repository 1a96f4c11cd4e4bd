import { expect, it } from 'vitest'
import { once } from 'node:events'
import { WebSocket, WebSocketServer } from 'ws'
import { variablesOf } from '../../src/replay/traces/variables-of.ts'
import { bankKey, bearer, judge, openShop, production, shopKey } from '../support/credential-shop.ts'
import { recordRun } from '../support/record-run.ts'

const { url, ask } = await openShop()

type Key = () => string

const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const post = async (body: string | URLSearchParams): Promise<unknown> =>
  await (await fetch(`${url}/search`, { method: 'POST', body })).json()

/** Ways to send two keys in one call. */
const ways: Readonly<Record<string, (one: Key, other: Key) => Promise<unknown>>> = {
  'two cookies': async (one, other) => await ask('/', { cookie: `shop=${one()}; bank=${other()}` }),
  'the user and the password of Basic credentials': async (one, other) => await ask('/', { authorization: basic(one(), other()) }),
  'two headers of other names': async (one, other) => await ask('/', { 'x-tavern': one(), 'x-bank': other() }),
  'two fields of a query': async (one, other) => await ask(`/?q=tea&k=${one()}&bank_key=${other()}`, {}),
  'two fields of a JSON body': async (one, other) => await post(JSON.stringify({ api_key: one(), query: 'tea', bank: { k: other() } })),
  'two fields of a form': async (one, other) => await post(new URLSearchParams({ token: one(), k: other() })),
  'the text of a body': async (one, other) => await post(`<order key="${one()}">${other()}</order>`),
  'a tool’s arguments': async (one, other) => await ask('/', { 'x-args': JSON.stringify({ shop: one(), bank: other() }) }),
}

it.each(Object.entries(ways))('compares the variables of %s, and writes no key to the disk', async (_name, send) => {
  const { trace } = await recordRun(() => send(shopKey, bankKey))
  for (const value of Object.values(production)) expect(JSON.stringify(trace.rows)).not.toContain(value)
  expect(variablesOf(trace.rows)).toMatchObject({ SHOP_KEY: null, BANK_KEY: null })
  expect(await judge(trace, () => send(shopKey, bankKey))).toBe('green')
  expect(await judge(trace, () => send(shopKey, bankKey), production)).toBe('green')
  for (const [one, other] of [
    [bankKey, shopKey],
    [bankKey, bankKey],
    [shopKey, shopKey],
  ] as const)
    expect(await judge(trace, () => send(one, other))).toMatch(/^1 input: /)
})

it.each([
  ['a header', (key: string) => ask('/', bearer(key))],
  ['a cookie', (key: string) => ask('/', { cookie: `session=${key}` })],
  ['a query', (key: string) => ask(`/?api_key=${key}`, {})],
  ['Basic credentials', (key: string) => ask('/', { authorization: basic('shop', key) })],
])('is red for what JavaScript writes where the key of %s is missing', async (_where, send) => {
  const { trace } = await recordRun(() => send(shopKey()))
  for (const missing of ['undefined', 'null', 'NaN', '[object Object]'])
    expect(await judge(trace, () => send(missing))).toMatch(/^1 input: .*credential/)
})

it('compares the user of Basic credentials, whose password is a key', async () => {
  const agent = (user: string) => async (): Promise<unknown> => await ask('/', { authorization: basic(user, shopKey()) })
  const { trace } = await recordRun(agent('api'))
  expect(await judge(trace, agent('api'))).toBe('green')
  expect(await judge(trace, agent('cat'))).toBe('1 input: credential')
})

/** The environment of a machine whose keys have other forms: words, as many people write them for tests. */
const words = { SHOP_KEY: 'dummy-key-for-tests', BANK_KEY: 'other-key-for-tests' }
const standIns = { SHOP_KEY: 'goldenrun-stand-in-SHOP_KEY', BANK_KEY: 'goldenrun-stand-in-BANK_KEY' }

it.each(Object.entries(ways))('compares the variables of %s where the keys are words', async (_name, send) => {
  const { trace } = await recordRun(() => send(shopKey, bankKey))
  for (const machine of [words, standIns]) {
    expect(await judge(trace, () => send(shopKey, bankKey), machine)).toBe('green')
    expect(await judge(trace, () => send(bankKey, shopKey), machine)).toMatch(/^1 input: /)
  }
})

it.each([
  ['a variable that holds the scheme too', 'Bearer prod-shop-key-91c2f7aa', (text: string) => ask('/', { authorization: text })],
  ['a key with a line break at its end', 'prod-shop-key-91c2f7aa\n', (text: string) => ask('/', bearer(text.trim()))],
  ['the same in a body', 'prod-shop-key-91c2f7aa\n', (text: string) => post(JSON.stringify({ k: text.trim() }))],
  ['a key within a path', 'prod-shop-key-91c2f7aa', (text: string) => ask(`/bot${text}/send`, {})],
  ['a key with escaped slashes', 'prod/shop/key-91c2f7aa', (text: string) => post(`{"k":"${text.replaceAll('/', String.raw`\\/`)}"}`)],
  [
    'a key with escaped letters',
    'prod-sh\u00F6p-key-91c2f7aa',
    (text: string) => post(`{"k":"${text.replaceAll('\u00F6', String.raw`\\u00f6`)}"}`),
  ],
  ['an escaped key in a query', 'prod shop/key:91c2f7aa', (text: string) => ask(`/?k=${encodeURIComponent(text)}`, {})],
])('knows %s', async (_what, value, send) => {
  process.env['SHOP_KEY'] = value
  const { forgetVariables } = await import('../../src/node/variables.ts')
  forgetVariables()
  const { trace } = await recordRun(() => send(process.env['SHOP_KEY'] ?? ''))
  expect(JSON.stringify(trace.rows)).not.toContain('91c2f7aa')
  expect(variablesOf(trace.rows)).toMatchObject({ SHOP_KEY: null })
  const elsewhere = { SHOP_KEY: value.replaceAll('91c2f7aa', '4477ccdd'), BANK_KEY: value.replaceAll('91c2f7aa', '9900eeff') }
  expect(await judge(trace, () => send(process.env['SHOP_KEY'] ?? ''), elsewhere)).toBe('green')
  expect(await judge(trace, () => send(process.env['BANK_KEY'] ?? ''), elsewhere)).toMatch(/^1 input: /)
})

it('compares the key in the address of a WebSocket by its variable', async () => {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  sockets.on('connection', (socket) => socket.close())
  await once(sockets, 'listening')
  const { port } = sockets.address() as { readonly port: number }
  const agent = (key: Key) => async (): Promise<void> =>
    await new Promise((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/live?api_key=${key()}&room=7`)
      socket.on('close', () => resolve())
    })
  try {
    const { trace } = await recordRun(agent(shopKey))
    expect(JSON.stringify(trace.rows)).not.toContain(production.SHOP_KEY)
    expect(await judge(trace, agent(shopKey))).toBe('green')
    expect(await judge(trace, agent(bankKey))).toBe('1 input: args')
  } finally {
    sockets.close()
  }
})
