import dns, { lookup as namedLookup } from 'node:dns'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { ContactRefusedError } from '../../../src/boundaries/contact/contact-refused-error.ts'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { contactsIn, refusedContact, tryContact } from './contact-trial.ts'
import { listenDns } from './dns-server.ts'

/** Asks by callback. */
function call<Result>(ask: (callback: (error: Error | null, result: Result) => void) => void): Promise<Result> {
  return new Promise((resolve, reject) => ask((error, result) => (error === null ? resolve(result) : reject(error))))
}

const ipv4 = { family: 4 } as const

const lookups: readonly (readonly [form: string, ask: () => Promise<unknown>, output: unknown])[] = [
  ['dns.lookup', () => call((callback) => dns.lookup('localhost', ipv4, callback)), '127.0.0.1'],
  ['a named import of it', () => call((callback) => namedLookup('localhost', ipv4, callback)), '127.0.0.1'],
  ['dns.lookup, promisified', () => promisify(dns.lookup)('localhost', ipv4), { address: '127.0.0.1', family: 4 }],
  ['dns.promises.lookup', () => dns.promises.lookup('localhost', ipv4), { address: '127.0.0.1', family: 4 }],
]

it.each(lookups)('meets %s', async (_form, ask, output) => {
  expect(await tryContact(ask, output)).toBe('dns localhost')
})

const resolvers: readonly (readonly [form: string, ask: (server: string) => Promise<unknown>, output: unknown])[] = [
  ['resolve4', (server) => call((callback) => withServer(new dns.Resolver(), server).resolve4('db.internal', callback)), ['10.1.2.3']],
  ['resolve', (server) => call((callback) => withServer(new dns.Resolver(), server).resolve('db.internal', callback)), ['10.1.2.3']],
  ['resolve4, promised', (server) => withServer(new dns.promises.Resolver(), server).resolve4('db.internal'), ['10.1.2.3']],
  [
    'resolve4, with its options',
    (server) => withServer(new dns.promises.Resolver(), server).resolve4('db.internal', { ttl: true }),
    [{ address: '10.1.2.3', ttl: 60 }],
  ],
]

it.each(resolvers)('meets %s of a resolver', async (_form, ask, output) => {
  await using server = await listenDns()
  expect(await tryContact(() => ask(server.address), output)).toBe('dns db.internal')
  expect(server.queries).toBe(4)
})

function withServer<Resolver extends dns.Resolver | dns.promises.Resolver>(resolver: Resolver, server: string): Resolver {
  resolver.setServers([server])
  return resolver
}

it('refuses every query there is before it leaves', async () => {
  const { trace } = await recordRun(async () => 'nothing')
  const isQuery = (name: string): boolean => /^(lookup|resolve|reverse)/.test(name)
  const homes = [dns, new dns.Resolver(), dns.promises, new dns.promises.Resolver()]
  const queries = homes.flatMap((home, index) => {
    const names = new Set([...Object.getOwnPropertyNames(home), ...Object.getOwnPropertyNames(Object.getPrototypeOf(home))].filter(isQuery))
    return [...names].map((name) => ({ home, name, promised: index >= 2 }))
  })
  expect(queries.length).toBeGreaterThan(50)
  for (const { home, name, promised } of queries) {
    const method = Reflect.get(home, name) as (...args: unknown[]) => unknown
    const args = name === 'lookupService' ? ['127.0.0.1', 80] : [name === 'reverse' ? '127.0.0.1' : 'db.internal']
    let caught: unknown
    const run = await replay(trace, async () => {
      // The query is asked for by name: a replay puts its doors before it.
      const asked = Reflect.get(home, name) as typeof method
      if (promised) await (Reflect.apply(asked, home, args) as Promise<unknown>).catch((error: unknown) => (caught = error))
      else await new Promise<void>((resolve) => Reflect.apply(asked, home, [...args, (error: unknown) => resolve(void (caught = error))]))
      return 'nothing'
    })
    expect(refusedContact(run)).toBe(`dns ${String(args[0])}`)
    expect(ContactRefusedError.isInstance(caught), name).toBe(true)
  }
})

it('leaves to Node what is looked up nowhere, and what is no name', async () => {
  const agent = async (): Promise<unknown[]> => [
    await dns.promises.lookup('10.1.2.3'),
    await call((callback) => dns.lookup('::1', callback)),
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
  expect(outside).toMatchObject([{ address: '10.1.2.3', family: 4 }, '::1', outside[2], 'ERR_INVALID_ARG_TYPE'])
  const { output, trace } = await recordRun(agent)
  expect(output).toEqual(outside)
  expect(contactsIn(trace)).toEqual([])
  const run = await replay(trace, agent)
  expect([run.outcome, run.divergences]).toEqual([{ status: 'returned', output }, []])
})
