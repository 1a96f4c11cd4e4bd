import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { preparePromotion, tryPromotion } from '../../src/replay/goldens/promotion.ts'
import { replay } from '../../src/replay/replay.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'

const tokens = { ada: 'ck4f9a2c71d8e0aa', alan: 'ck77b1e0c2aa19f3' }

/** A shop whose log-ins name the token as no rule expects. */
const server = await listen(async ({ url = '' }, response) => {
  response.setHeader('content-type', 'application/json')
  const user = /login\/(\w+)/.exec(url)?.[1]
  response.end(JSON.stringify(user === undefined ? { ok: true } : { user, ck: tokens[user as keyof typeof tokens] }))
})
afterAll(() => server.close())

const ask = async (path: string, key?: string): Promise<Record<string, string>> =>
  (await (await fetch(`${server.url}${path}`, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })).json()) as never

/** Two users log in, and each asks for their own order. @param of Which tokens are sent. */
const agent =
  (of: (ada: string, alan: string) => readonly [string, string] = (ada, alan) => [ada, alan]) =>
  async (): Promise<unknown> => {
    const [ada, alan] = [await ask('/login/ada'), await ask('/login/alan')]
    const [one, other] = of(ada['ck'] ?? '', alan['ck'] ?? '')
    return [await ask('/orders/1', one), await ask('/orders/2', other)]
  }

async function promoted(trace: Trace, run: () => unknown): Promise<Trace> {
  const promotion = await preparePromotion(trace, { name: 'given', directory: '/nowhere' })
  const trial = await tryPromotion(promotion, run)
  return (await trial.settle([])).trace
}

it('knows a token that an answer had under a name that no rule knows, once the golden is promoted', async () => {
  const { trace } = await recordRun(agent())
  const golden = await promoted(trace, agent())
  const written = JSON.stringify(golden.rows)
  for (const token of Object.values(tokens)) expect(written).not.toContain(token)
  const unchanged = await replay(golden, agent())
  expect([unchanged.divergences, unchanged.credentials]).toEqual([[], []])
  type Of = NonNullable<Parameters<typeof agent>[0]>
  const changes: readonly (readonly [Of, number])[] = [
    [(ada, alan) => [alan, ada], 3],
    [(ada) => [ada, ada], 4],
    [(ada) => [ada, 'ck00000000000000'], 4],
  ]
  for (const [of, step] of changes)
    expect((await replay(golden, agent(of))).divergences[0]).toMatchObject({ step, cause: 'input', parts: ['credential'] })
})

it('keeps a token into which the agent looks', async () => {
  const looking = async (): Promise<unknown> => {
    const { ck = '' } = await ask('/login/ada')
    return ck.startsWith('ck4f9a') ? await ask('/orders/1', ck) : 'another user'
  }
  const { trace } = await recordRun(looking)
  const golden = await promoted(trace, looking)
  expect((await replay(golden, looking)).divergences).toEqual([])
  expect(JSON.stringify(golden.rows)).toContain(tokens.ada)
})
