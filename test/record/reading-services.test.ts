import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { findRepeatedSideEffects } from '../../src/replay/goldens/promotion/expect-departure.ts'
import { replay } from '../../src/replay/replay.ts'
import { sideEffectsOf } from '../../src/trace/side-effects.ts'
import { httpRequest } from '../support/http-request.ts'
import { postJson } from '../support/post-json.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'

const world = await listen(async (request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"results":[]}')
})
afterAll(() => world.close())

/** A request in the form that a service documents. */
interface Asked {
  readonly host: string
  readonly path: string
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const bearer = { authorization: 'Bearer key' }

const searches: readonly Asked[] = [
  { host: 'api.tavily.com', path: '/search', body: { query: 'desk lamps', search_depth: 'basic', max_results: 5 }, headers: bearer },
  {
    host: 'api.exa.ai',
    path: '/search',
    body: { query: 'desk lamps', numResults: 5, contents: { text: true } },
    headers: { 'x-api-key': 'key' },
  },
  { host: 'api.firecrawl.dev', path: '/v2/scrape', body: { url: 'https://shop.example', formats: ['markdown'] }, headers: bearer },
  { host: 'r.jina.ai', path: '/', body: { url: 'https://shop.example' }, headers: bearer },
  { host: 's.jina.ai', path: '/', body: { q: 'desk lamps', gl: 'US' }, headers: bearer },
  { host: 'google.serper.dev', path: '/search', body: { q: 'desk lamps', gl: 'us' }, headers: { 'x-api-key': 'key' } },
  { host: 'api.search.brave.com', path: '/res/v1/web/search', body: { q: 'desk lamps' }, headers: { 'x-subscription-token': 'key' } },
  { host: 'api.perplexity.ai', path: '/search', body: { query: ['desk lamps'], max_results: 5 }, headers: bearer },
  {
    host: 'ydc-index.io',
    path: '/v1/contents',
    body: { urls: ['https://shop.example'], format: 'markdown' },
    headers: { 'x-api-key': 'key' },
  },
  { host: 'api.linkup.so', path: '/v1/search', body: { q: 'desk lamps', depth: 'standard', outputType: 'searchResults' }, headers: bearer },
  {
    host: 'app1-dsn.algolia.net',
    path: '/1/indexes/*/queries?x-algolia-agent=Algolia',
    body: { requests: [{ indexName: 'lamps', query: 'desk' }] },
    headers: { 'x-algolia-application-id': 'app1', 'x-algolia-api-key': 'key' },
  },
  { host: 'search.internal', path: '/lamps/_search', body: { query: { match: { name: 'desk' } } } },
  { host: 'search.internal', path: '/_query?format=json', body: { query: 'FROM lamps | WHERE name LIKE "desk*"' } },
  {
    host: 'search.internal',
    path: '/multi_search',
    body: { searches: [{ collection: 'lamps', q: 'desk' }] },
    headers: { 'x-typesense-api-key': 'key' },
  },
  { host: 'search.internal', path: '/indexes/lamps/search', body: { q: 'desk' }, headers: bearer },
  {
    host: 'shop.internal',
    path: '/graphql',
    body: { query: 'query Lamps($q: String!) { lamps(named: $q) { id } }', variables: { q: 'desk' } },
  },
]

/** Asks as often as told. */
async function ask({ host, path, body, headers }: Asked, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await postJson(`http://${host}:${world.port}${path}`, body, headers)
}

it.each(searches)('does not flag an agent that makes the same search four times: $host $path', async (search) => {
  const agent = (): Promise<void> => ask(search, 4)
  const { trace, stats } = await recordRun(agent)
  expect([trace.steps.length, sideEffectsOf(trace.steps, trace.header), rowsOf(trace, 'note'), stats.flagged]).toEqual([4, [], [], 0])
  const run = await replay(trace, agent)
  expect([run.divergences, run.sideEffects]).toEqual([[], []])
})

const jobs: readonly Asked[] = [
  { host: 'api.tavily.com', path: '/crawl', body: { url: 'https://shop.example', limit: 50 }, headers: bearer },
  { host: 'api.firecrawl.dev', path: '/v2/crawl', body: { url: 'https://shop.example', limit: 50 }, headers: bearer },
  { host: 'api.firecrawl.dev', path: '/v2/batch/scrape', body: { urls: ['https://shop.example'] }, headers: bearer },
  {
    host: 'api.firecrawl.dev',
    path: '/v2/scrape',
    body: { url: 'https://shop.example', actions: [{ type: 'click', selector: '#buy' }] },
    headers: bearer,
  },
  { host: 'app1.algolia.net', path: '/1/indexes/lamps/batch', body: { requests: [{ action: 'addObject', body: { name: 'desk' } }] } },
  { host: 'search.internal', path: '/_plugins/_sql', body: { query: 'DELETE FROM lamps' } },
  { host: 'search.internal', path: '/indexes/lamps/documents', body: [{ id: 1, name: 'desk' }] },
  { host: 'shop.internal', path: '/graphql', body: { query: 'mutation { order(lamp: 7) { id } }' } },
  { host: 'shop.internal', path: '/graphql', body: { extensions: { persistedQuery: { version: 1, sha256Hash: 'ab12' } } } },
]

it.each(jobs)('flags an agent that makes the same change twice: $host $path', async (job) => {
  const agent = (): Promise<void> => ask(job, 2)
  const { trace, stats } = await recordRun(agent)
  const name = `POST ${job.host}:${world.port}${job.path} (inferred)`
  expect(rowsOf(trace, 'note').map(({ what, where }) => `${what} ${where}`)).toEqual([
    `repeated-side-effect ${name}: step 2 repeats step 1`,
  ])
  expect(stats.flagged).toBe(1)
  expect(findRepeatedSideEffects(trace)).toEqual([{ name, step: 2, first: 1 }])
  const run = await replay(trace, agent)
  expect([run.divergences, run.sideEffects.map(({ step }) => step)]).toEqual([[], [1, 2]])
})

it('tells several searches in one request from a bulk of changes', async () => {
  const lines = (values: readonly unknown[]): string[] => [values.map((value) => `${JSON.stringify(value)}\n`).join('')]
  const headers = { 'content-type': 'application/x-ndjson' }
  const { trace } = await recordRun(async () => {
    for (const [path, body] of [
      ['/_msearch', lines([{ index: 'lamps' }, { query: { match_all: {} } }])],
      ['/_bulk', lines([{ index: { _index: 'lamps' } }, { name: 'desk' }])],
    ] as const) {
      await httpRequest(`${world.url}${path}`, { method: 'POST', headers, body })
      await httpRequest(`${world.url}${path}`, { method: 'POST', headers, body })
    }
  })
  expect(sideEffectsOf(trace.steps, trace.header).map(({ step }) => step)).toEqual([3, 4])
})

it('does not flag a GraphQL query that is longer than what is read of every request', async () => {
  const fields = Array.from({ length: 5000 }, (_, index) => `field_${index}`).join(' ')
  const agent = async (): Promise<void> => {
    for (let time = 0; time < 2; time += 1)
      await (await fetch(`${world.url}/graphql`, { method: 'POST', body: JSON.stringify({ query: `{ ${fields} }` }) })).text()
  }
  const { trace, stats } = await recordRun(agent)
  expect([rowsOf(trace, 'note'), stats.flagged, sideEffectsOf(trace.steps, trace.header)]).toEqual([[], 0, []])
})
