import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { wrapClient } from '../../src/run/wrap-client/wrap-client.ts'
import { recordRun } from '../support/record-run.ts'

class NotFoundError extends Error {}

class Orders {
  static readonly table = 'orders'
  readonly NotFoundError = NotFoundError
  readonly options = { region: 'eu', since: new Date(0), pool: new Map([['size', 3]]) }
  readonly items = { find: async (id: string) => `item of ${id}` }
  readonly #secret = 'kept'

  async find(id: string): Promise<string> {
    return `${this.#secret} ${id}`
  }

  async findAll(): Promise<string[]> {
    return [await this.find('a'), await this.find('b')]
  }

  get size(): number {
    return this.#secret.length
  }
}

it('passes everything through outside a run', async () => {
  const orders = new Orders()
  const wrapped = wrapClient('orders', orders)
  await expect(wrapped.find('ord_1')).resolves.toBe('kept ord_1')
  await expect(wrapped.items.find('ord_1')).resolves.toBe('item of ord_1')
  expect([wrapped.size, wrapped.options.region]).toEqual([4, 'eu'])
  expect(wrapped).toBeInstanceOf(Orders)
  expect('find' in wrapped).toBe(true)
  expect(Object.keys(wrapped)).toEqual(Object.keys(orders))
})

it('makes a step of every method call inside a run, with the path as its name', async () => {
  const wrapped = wrapClient('orders', new Orders())
  const { trace, output } = await recordRun(async () => [await wrapped.find('ord_1'), await wrapped.items.find('ord_1')])
  expect(output).toEqual(['kept ord_1', 'item of ord_1'])
  expect(trace.steps.map((step) => [step.boundary, step.name, step.input, step.output])).toEqual([
    ['external', 'orders.find', 'ord_1', 'kept ord_1'],
    ['external', 'orders.items.find', 'ord_1', 'item of ord_1'],
  ])
})

it('counts a call by its method, not by the calls that the client makes of itself', async () => {
  const wrapped = wrapClient('orders', new Orders())
  const { trace } = await recordRun(() => wrapped.findAll())
  expect(trace.steps.map(({ name }) => name)).toEqual(['orders.findAll'])
})

it('gives the same wrapper each time', () => {
  const wrapped = wrapClient('orders', new Orders())
  expect(wrapped.find).toBe(wrapped.find)
  expect(wrapped.items).toBe(wrapped.items)
})

it('names a method that is there under two names by the one that is called', async () => {
  const find = async (id: string): Promise<string> => id
  const wrapped = wrapClient('orders', { find, get: find })
  const { trace } = await recordRun(async () => [await wrapped.find('a'), await wrapped.get('b')])
  expect(trace.steps.map(({ name }) => name)).toEqual(['orders.find', 'orders.get'])
})

it('follows a method that is replaced later', async () => {
  const client = { find: () => 'before' }
  const wrapped = wrapClient('orders', client)
  wrapped.find()
  client.find = () => 'after'
  expect(wrapped.find()).toBe('after')
})

it('leaves classes, plain values and builtin objects as they are', async () => {
  const orders = new Orders()
  const wrapped = wrapClient('orders', orders)
  const { trace } = await recordRun(() => {
    expect(wrapped.NotFoundError).toBe(NotFoundError)
    expect(wrapped.constructor).toBe(Orders)
    expect(wrapped.options.since.getTime()).toBe(0)
    expect(wrapped.options.pool.get('size')).toBe(3)
    expect(new wrapped.NotFoundError('gone')).toBeInstanceOf(NotFoundError)
  })
  expect(trace.steps).toEqual([])
})

it('wraps a client whose methods are locked', async () => {
  const wrapped = wrapClient('orders', Object.freeze({ find: async (id: string) => id, region: 'eu' }))
  const { trace } = await recordRun(() => wrapped.find('ord_1'))
  expect(trace.steps.map(({ name }) => name)).toEqual(['orders.find'])
  expect([wrapped.region, Object.keys(wrapped)]).toEqual(['eu', ['find', 'region']])
})

it('sets properties on the client itself', () => {
  class Client {
    region = 'eu'
    #timeout = 1
    get timeout(): number {
      return this.#timeout
    }
    set timeout(milliseconds: number) {
      this.#timeout = milliseconds
    }
  }
  const client = new Client()
  Object.assign(wrapClient('orders', client), { region: 'us', timeout: 5 })
  expect([client.region, client.timeout]).toEqual(['us', 5])
})

it('hands listeners to a client that is an event emitter', () => {
  class Connection extends EventEmitter {}
  const connection = new Connection()
  const heard: string[] = []
  wrapClient('connection', connection).on('ready', () => heard.push('ready'))
  connection.emit('ready')
  expect(heard).toEqual(['ready'])
})
