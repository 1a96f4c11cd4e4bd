import { expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { tool } from '../../src/index.ts'
import { fork } from '../../src/replay.ts'
import { recordRun } from '../support/record-run.ts'

it('sends what would be a write elsewhere from a tool that only reads, or if it is declared to read', async () => {
  const asked: string[] = []
  await using server = await listen(async (request, response) => {
    asked.push(request.url ?? '')
    response.end('found')
  })
  const post = async (path: string): Promise<string> => (await fetch(server.url + path, { method: 'POST', body: 'q' })).text()
  const search = tool('search', { effect: 'read' }, async (about: string) => post(`/search?${about}`))
  const first = tool('first', { effect: 'read' }, async () => 'begun')
  const agent = async (about: string): Promise<string[]> => [await first(), await search(about)]
  const { trace } = await recordRun(async () => agent('one'))
  asked.splice(0)
  const run = await fork(trace, async () => agent('two'), { at: { tool: 'search' }, then: 'live', allowHost: [new URL(server.url).host] })
  expect([run.outcome, asked]).toEqual([{ status: 'returned', output: ['begun', 'found'] }, ['/search?two']])
  asked.splice(0)
  const alone = async (about: string): Promise<string[]> => [await first(), await post(`/search?${about}`)]
  const bare = await recordRun(async () => alone('one'))
  asked.splice(0)
  const refused = await fork(bare.trace, async () => alone('two'), { at: 2, then: 'live', allowHost: [new URL(server.url).host] })
  expect([refused.outcome.status, asked]).toEqual(['stopped', []])
  const effects = { [`POST ${new URL(server.url).host}/search`]: 'read' } as const
  const declared = await recordRun(async () => alone('one'), { recorder: { effects } })
  asked.splice(0)
  const sent = await fork(declared.trace, async () => alone('two'), { at: 2, then: 'live', allowHost: [new URL(server.url).host] })
  expect([sent.outcome, asked]).toEqual([{ status: 'returned', output: ['begun', 'found'] }, ['/search?two']])
})
