import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { replay } from '../../src/replay/replay.ts'
import { recordRun } from '../support/record-run.ts'
import { toGoldenTrace } from '../support/replay-clean.ts'

const server = await listen(async (_request, response) => void response.end('{}'))
afterAll(() => server.close())

const get = (headers: Record<string, string>) => async (): Promise<number> => (await fetch(server.url, { headers })).status

it('compares the request headers that the recorder was told to keep, and no others', async () => {
  const recorded = { 'X-Tenant': 'a', 'x-trace': '1', authorization: 'Bearer 0123456789abcdef0' }
  const { trace } = await recordRun(get(recorded), { recorder: { compareHeaders: ['X-Tenant'] } })
  expect(trace.header.compareHeaders).toEqual(['x-tenant'])
  expect(trace.steps[0]?.input).toMatchObject({ headers: [['x-tenant', 'a']] })
  for (const each of [trace, toGoldenTrace(trace)]) {
    expect((await replay(each, get({ 'x-tenant': 'a', 'x-trace': '2' }))).divergences).toEqual([])
    expect((await replay(each, get({ 'x-tenant': 'b' }))).divergences).toMatchObject([
      { cause: 'input', step: 1, parts: ['headers'], differences: [{ path: 'headers["x-tenant"]', expected: 'a', received: 'b' }] },
    ])
    expect((await replay(each, get({}))).divergences).toMatchObject([{ cause: 'input', step: 1, parts: ['headers'] }])
  }
})

it('compares no header that carries no meaning, where none is named', async () => {
  const { trace } = await recordRun(get({ 'x-tenant': 'a', 'user-agent': 'one' }))
  expect(trace.header).not.toHaveProperty('compareHeaders')
  expect((await replay(trace, get({ 'x-tenant': 'b', 'user-agent': 'other' }))).divergences).toEqual([])
})

it.each(['content-type', 'idempotency-key', 'anthropic-version', 'openai-beta'])('compares the header %s always', async (name) => {
  const { trace } = await recordRun(get({ [name]: 'text/one' }))
  expect((await replay(trace, get({ [name]: 'text/other' }))).divergences).toMatchObject([{ cause: 'input', step: 1, parts: ['headers'] }])
})

it.each(['Authorization', 'cookie', 'x-api-key'])('refuses to keep the header %s, which carries a secret', (name) => {
  expect(() => createRecorder({ store: 'unused', compareHeaders: [name] })).toThrow(
    `createRecorder: the option "compareHeaders" cannot hold "${name}": it carries a secret, which identifies the sender and not the request.`,
  )
})
