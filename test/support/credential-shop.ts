import { afterAll, afterEach, beforeEach } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { forgetVariables } from '../../src/node/variables.ts'
import { replay } from '../../src/replay/replay.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { toGoldenTrace } from './replay-clean.ts'

/** A shop with log-ins: each user gets a token of their own. */
export interface Shop extends Pick<Awaited<ReturnType<typeof listen>>, 'url'> {
  /** Returns what a path gives. @param method Default: `GET`. */
  ask(path: string, headers: Readonly<Record<string, string>>, method?: string): Promise<unknown>
}

/** Opens a shop for a test file, whose tests begin with the environment of production. */
export async function openShop(): Promise<Shop> {
  const server = await listen(async ({ url = '' }, response) => {
    response.setHeader('content-type', 'application/json')
    const user = /login\/(\w+)/.exec(url)?.[1]
    response.end(
      JSON.stringify(
        user === undefined ? { ok: true } : { access_token: `tok-${user}-4f9a2c71d8`, refresh_token: `ref-${user}-77b1e0c2aa` },
      ),
    )
  })
  afterAll(() => server.close())
  beforeEach(() => setEnvironment(production))
  afterEach(() => setEnvironment(Object.fromEntries(Object.keys(production).map((name) => [name, undefined]))))
  const { url } = server
  return { url, ask: async (path, headers, method = 'GET') => await (await fetch(`${url}${path}`, { method, headers })).json() }
}

export const production = {
  SHOP_KEY: 'prod-shop-key-91c2f7aa',
  BANK_KEY: 'prod-bank-key-03d7be11',
  SHOP_ORGANIZATION: 'org-production-77',
  SHOP_REGION: 'region-production-1',
}
export const continuousIntegration = {
  SHOP_KEY: 'ci-shop-key-000111aaa',
  BANK_KEY: 'ci-bank-key-222333bbb',
  SHOP_ORGANIZATION: 'org-ci-00000001',
  SHOP_REGION: 'region-ci-000001',
}

export function setEnvironment(variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) Reflect.deleteProperty(process.env, name)
    else process.env[name] = value
  }
  // A recorder looks at the environment now and then.
  forgetVariables()
}

export const bearer = (value: string | undefined): Readonly<Record<string, string>> => ({ authorization: `Bearer ${value}` })
export const shopKey = (): string => process.env['SHOP_KEY'] ?? ''
export const bankKey = (): string => process.env['BANK_KEY'] ?? ''

/** Replays with the variables of continuous integration. */
export async function judge(
  trace: Trace,
  agent: (input: never) => unknown,
  variables: Readonly<Record<string, string | undefined>> = continuousIntegration,
): Promise<string> {
  setEnvironment(variables)
  const run = await replay(toGoldenTrace(trace), agent)
  const [first] = run.divergences
  if (first === undefined) return ['green', ...new Set(run.credentials.map(({ why }) => why))].join(', ')
  return `${first.step} ${first.cause}: ${first.parts.join(', ')}`
}
