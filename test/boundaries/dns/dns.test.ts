import dns, { lookup as namedLookup } from 'node:dns'
import { lookup as namedPromise } from 'node:dns/promises'
import http from 'node:http'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { replay } from '../../../src/replay/replay.ts'
import { live } from '../../../src/run/live.ts'
import { tool } from '../../../src/run/tool.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { type DnsServer, listenDns } from './dns-server.ts'

/** Asks by callback. Gives all that the callback is given. */
function call(ask: (callback: (error: Error | null, ...answer: unknown[]) => void) => void): Promise<unknown> {
  return new Promise((resolve, reject) => ask((error, ...answer) => (error === null ? resolve(answer) : reject(error))))
}

const ipv4 = { family: 4 } as const
const local = { address: '127.0.0.1', family: 4 }

function resolverOf({ address }: DnsServer): dns.Resolver {
  const resolver = new dns.Resolver()
  resolver.setServers([address])
  return resolver
}

function promisesOf({ address }: DnsServer): dns.promises.Resolver {
  const resolver = new dns.promises.Resolver()
  resolver.setServers([address])
  return resolver
}

type Ask = (server: DnsServer) => Promise<unknown>

const lookUps: readonly (readonly [form: string, ask: Ask, output: unknown, step: readonly [string, unknown]])[] = [
  ['lookup', () => call((told) => dns.lookup('localhost', ipv4, told)), ['127.0.0.1', 4], ['lookup', { hostname: 'localhost', family: 4 }]],
  [
    'a named import of it',
    () => call((told) => namedLookup('localhost', 4, told)),
    ['127.0.0.1', 4],
    ['lookup', { hostname: 'localhost', family: 4 }],
  ],
  [
    'lookup of all',
    () => call((told) => dns.lookup('localhost', { all: true, family: 4 }, told)),
    [[local]],
    ['lookup', { hostname: 'localhost', all: true, family: 4 }],
  ],
  ['lookup, promisified', () => promisify(dns.lookup)('localhost', ipv4), local, ['lookup', { hostname: 'localhost', family: 4 }]],
  ['lookup, promised', () => dns.promises.lookup('localhost', ipv4), local, ['lookup', { hostname: 'localhost', family: 4 }]],
  ['a named import of it, promised', () => namedPromise('localhost', ipv4), local, ['lookup', { hostname: 'localhost', family: 4 }]],
  [
    'resolve4',
    (server) => call((told) => resolverOf(server).resolve4('db.internal', told)),
    [['10.1.2.3']],
    ['resolve4', { hostname: 'db.internal' }],
  ],
  [
    'resolve of a type',
    (server) => call((told) => resolverOf(server).resolve('db.internal', 'MX', told)),
    [[expect.objectContaining({ exchange: 'mx.internal', priority: 10 })]],
    ['resolve', { hostname: 'db.internal', rrtype: 'MX' }],
  ],
  [
    'resolve4 with its options, promised',
    (server) => promisesOf(server).resolve4('db.internal', { ttl: true }),
    [{ address: '10.1.2.3', ttl: 60 }],
    ['resolve4', { hostname: 'db.internal', ttl: true }],
  ],
  [
    'reverse',
    (server) => call((told) => resolverOf(server).reverse('10.1.2.3', told)),
    [['db.internal']],
    ['reverse', { address: '10.1.2.3' }],
  ],
  ['reverse, promised', (server) => promisesOf(server).reverse('10.1.2.3'), ['db.internal'], ['reverse', { address: '10.1.2.3' }]],
]

it.each(lookUps)('records and answers %s', async (_form, ask, output, [name, input]) => {
  await using server = await listenDns()
  expect(await ask(server), 'outside of a run').toEqual(output)
  const recorded = await recordRun(() => ask(server))
  expect(recorded.output).toEqual(output)
  expect(recorded.trace.steps).toMatchObject([{ boundary: 'external', name: `dns ${name}`, effect: 'read', input }])
  expect(rowsOf(recorded.trace, 'note')).toEqual([])
  const asked = server.queries
  await expectClean(recorded.trace, () => ask(server))
  expect(server.queries).toBe(asked)
})

const describe = (error: unknown): unknown => {
  const { message, name } = error as Error
  // Node sets `errno` of a resolver's error to undefined, which a trace leaves out.
  const fields = Object.entries(error as object)
    .filter(([, value]) => value !== undefined)
    .toSorted(([one], [other]) => one.localeCompare(other))
  return [error instanceof Error, Object.prototype.toString.call(error), name, message, fields]
}

it.each([
  ['by callback', (server: DnsServer) => call((told) => resolverOf(server).resolve4('missing.internal', told))],
  ['as a promise', (server: DnsServer) => promisesOf(server).resolveMx('missing.internal')],
  ['by callback, from the system', () => call((told) => dns.lookup('missing.invalid', told))],
  ['as a promise, from the system', () => dns.promises.lookup('missing.invalid')],
])('gives the recorded error %s', async (_form, ask) => {
  await using server = await listenDns()
  const agent = async (): Promise<unknown> => {
    const error: unknown = await ask(server).catch((failure: unknown) => failure)
    return describe(error)
  }
  const { output, trace } = await recordRun(agent)
  expect(output).toMatchObject([true, '[object Error]', 'Error', expect.stringMatching(/ENOTFOUND|EAI_AGAIN/), expect.anything()])
  const fields = Object.fromEntries((output as [unknown, unknown, unknown, unknown, [string, unknown][]])[4])
  expect(fields).toMatchObject({
    code: expect.any(String) as unknown,
    syscall: expect.any(String) as unknown,
    hostname: expect.stringMatching(/^missing/) as unknown,
  })
  await expectClean(trace, agent)
})

it('is red at the step of a changed name, with the line', async () => {
  const agent = (name: string) => async (): Promise<unknown> => {
    const found = await dns.promises.lookup('localhost', ipv4)
    return [found, await dns.promises.lookup(name, ipv4).catch(() => 'nothing')]
  }
  const { trace } = await recordRun(agent('ip4-localhost'))
  const run = await replay(trace, agent('moved.internal'))
  expect(run.divergences).toMatchObject([
    {
      cause: 'input',
      step: 2,
      name: 'dns lookup',
      site: { file: 'test/boundaries/dns/dns.test.ts' },
      differences: [{ path: 'args.hostname', expected: 'ip4-localhost', received: 'moved.internal' }],
    },
  ])
  expect(run.outcome.status).toBe('stopped')
})

it('refuses every query that the trace does not have, before it leaves', async () => {
  const { trace } = await recordRun(async () => 'nothing')
  const isQuery = (name: string): boolean => /^(lookup|resolve|reverse)/.test(name)
  const homes = [dns, new dns.Resolver(), dns.promises, new dns.promises.Resolver()]
  const queries = homes.flatMap((home, index) => {
    const names = new Set([...Object.getOwnPropertyNames(home), ...Object.getOwnPropertyNames(Object.getPrototypeOf(home))].filter(isQuery))
    return [...names].map((name) => ({ home, name, promised: index >= 2 }))
  })
  expect(queries.length).toBeGreaterThan(50)
  for (const { home, name, promised } of queries) {
    const args = name === 'lookupService' ? ['127.0.0.1', 80] : [name === 'reverse' ? '127.0.0.1' : 'db.internal']
    let caught: unknown
    const run = await replay(trace, async () => {
      // The query is asked for by name: a replay puts its doors before it.
      const asked = Reflect.get(home, name) as (...args: unknown[]) => unknown
      if (promised) await (Reflect.apply(asked, home, args) as Promise<unknown>).catch((error: unknown) => (caught = error))
      else await new Promise<void>((resolve) => Reflect.apply(asked, home, [...args, (error: unknown) => resolve(void (caught = error))]))
      return 'nothing'
    })
    expect(run.divergences).toMatchObject([
      { cause: 'unexpected-call', name: `dns ${name}`, site: { file: 'test/boundaries/dns/dns.test.ts' } },
    ])
    expect(String(caught), name).toContain('dns')
  }
})

it('leaves IP addresses and invalid names to Node', async () => {
  const agent = async (): Promise<unknown[]> => [
    await dns.promises.lookup('10.1.2.3'),
    await call((told) => dns.lookup('::1', told)),
    // Releases of Node differ on it.
    await dns.promises.lookup('', ipv4).catch((error: unknown) => String(error)),
    (() => {
      try {
        return Reflect.apply(dns.lookup, dns, [5, () => undefined])
      } catch (error) {
        return (error as { code: string }).code
      }
    })(),
  ]
  const outside = await agent()
  expect(outside).toMatchObject([{ address: '10.1.2.3', family: 4 }, ['::1', 6], outside[2], 'ERR_INVALID_ARG_TYPE'])
  const { output, trace } = await recordRun(agent)
  expect(output).toEqual(outside)
  expect(trace.steps).toEqual([])
  await expectClean(trace, agent)
})

it('throws for invalid options again', async () => {
  const agent = async (): Promise<unknown> => {
    try {
      return Reflect.apply(dns.lookup, dns, ['localhost', { family: 9 }, () => undefined])
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  const { output, trace } = await recordRun(agent)
  expect(output).toBe('ERR_INVALID_ARG_VALUE')
  await expectClean(trace, agent)
})

it('makes no step of what an HTTP call looks up', async () => {
  await using server = await listen(async (_request, response) => void response.end('hello'))
  const url = server.url.replace('127.0.0.1', 'localhost')
  const get = (options: http.RequestOptions): Promise<string> =>
    new Promise((resolve, reject) => {
      const lookup: http.RequestOptions['lookup'] = (name, given, told) => dns.lookup(name, given, told)
      const request = http.get(url, { agent: new http.Agent(), family: 4, lookup, ...options }, (response) => {
        response.on('data', (piece) => resolve(String(piece)))
      })
      request.on('error', reject)
    })
  const agent = async (): Promise<unknown> => [await get({}), await (await fetch(url)).text()]
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual(['hello', 'hello'])
  expect(trace.steps.map(({ boundary }) => boundary)).toEqual(['http', 'http'])
  expect(rowsOf(trace, 'note')).toEqual([])
  await expectClean(trace, agent)
})

it('leaves a look-up to the world that is declared live', async () => {
  const agent = (): Promise<unknown> => live('it may', () => dns.promises.lookup('localhost', ipv4))
  const { trace } = await recordRun(agent)
  expect(trace.steps).toEqual([])
  const run = await replay(trace, agent)
  expect([run.outcome, run.divergences]).toEqual([{ status: 'returned', output: local }, []])
  const bare = (): Promise<unknown> => dns.promises.lookup('localhost', ipv4)
  const liveRun = await replay(trace, bare, { live: ['localhost'] })
  expect([liveRun.outcome, liveRun.divergences]).toEqual([{ status: 'returned', output: local }, []])
})

it('stands within the step of a tool', async () => {
  const look = tool('look', {}, () => dns.promises.lookup('localhost', ipv4))
  const { trace } = await recordRun(() => look())
  expect(trace.steps).toMatchObject([
    { step: 1, owner: 0, name: 'look' },
    { step: 2, owner: 1, name: 'dns lookup' },
  ])
  await expectClean(trace, () => look())
  await expectClean(trace, () => look(), { tools: { look: 'run' } })
})

it('keeps the order of look-ups that race', async () => {
  await using server = await listenDns()
  const agent = async (): Promise<unknown> => {
    const settled: string[] = []
    const ask = async (name: string): Promise<void> => {
      await promisesOf(server)
        .resolve4(name)
        .catch(() => undefined)
      settled.push(name)
    }
    await Promise.all(['a.internal', 'missing.internal', 'b.internal', 'c.internal'].map(ask))
    return settled
  }
  const { trace } = await recordRun(agent)
  for (let time = 0; time < 20; time += 1) await expectClean(trace, agent)
})

it('redacts names', async () => {
  const agent = async (): Promise<unknown> => dns.promises.lookup('sk-proj-abcdefghijklmnopqrstuvwx1234567890ABCD.invalid').catch(String)
  const { trace, text } = await recordRun(agent)
  expect(text).not.toContain('abcdefghijklmnopqrstuvwx1234567890')
  const run = await replay(trace, agent)
  expect(run.divergences).toEqual([])
})
