import { expect, it } from 'vitest'
import { mayWrite } from '../../../src/trace/requests/may-write.ts'

// As the services document them.
const reading = [
  'https://api.tavily.com/search',
  'https://api.tavily.com/extract',
  'https://api.tavily.com/map',
  'https://api.exa.ai/search',
  'https://api.exa.ai/contents',
  'https://api.exa.ai/findSimilar',
  'https://api.exa.ai/answer',
  'https://api.firecrawl.dev/v1/map',
  'https://api.firecrawl.dev/v2/crawl/params-preview',
  'https://api.jina.ai/v1/classify',
  'https://api.jina.ai/v1/rerank',
  'https://google.serper.dev/search',
  'https://google.serper.dev/scholar',
  'https://scrape.serper.dev/',
  'https://api.search.brave.com/res/v1/web/search',
  'https://api.search.brave.com/res/v1/llm/context',
  'https://api.perplexity.ai/search',
  'https://ydc-index.io/v1/search',
  'https://ydc-index.io/v1/contents',
  'https://api.you.com/v1/research',
  'https://api.linkup.so/v1/search',
  'https://api.linkup.so/v1/fetch',
  'https://app1-dsn.algolia.net/1/indexes/products/query?x-algolia-agent=Algolia',
  'https://app1-dsn.algolia.net/1/indexes/*/queries',
  'https://app1-2.algolianet.com/1/indexes/*/objects',
  'https://app1.algolia.net/1/indexes/products/facets/brand/query',
  'https://app1.algolia.net/1/indexes/products/browse',
  'https://app1-dsn.algolia.net/1/indexes/*/recommendations',
  'http://localhost:9200/docs/_search?size=5',
  'http://localhost:9200/docs,more/_msearch',
  'http://localhost:9200/_msearch',
  'http://localhost:9200/docs/_count',
  'http://localhost:9200/_mget',
  'http://localhost:9200/docs/_field_caps',
  'http://localhost:9200/docs/_search/template',
  'http://localhost:9200/_search/scroll',
  'http://localhost:9200/docs/_pit?keep_alive=1m',
  'http://localhost:9200/docs/_explain/7',
  'http://localhost:9200/docs/_eql/search',
  'https://search.example/behind/a/proxy/docs/_search',
  'https://opensearch.example/docs/_search/point_in_time',
  'http://localhost:8108/multi_search?collection=products',
  'http://localhost:7700/indexes/movies/search',
  'http://localhost:7700/indexes/movies/facet-search',
  'http://localhost:7700/indexes/movies/documents/fetch',
  'http://localhost:7700/multi-search',
  'https://api.openai.com/v1/embeddings',
  'https://shop.openai.azure.com/openai/deployments/small/embeddings?api-version=2024-10-21',
  'https://api.mistral.ai/v1/embeddings',
  'https://api.cohere.com/v2/embed',
  'https://api.cohere.com/v2/rerank',
  'https://api.voyageai.com/v1/rerank',
  'https://api.openai.com/v1/moderations',
  'https://generativelanguage.googleapis.com/v1beta/models/gemini-embedding-001:batchEmbedContents?key=x',
  'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:countTokens',
  'https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.titan-embed-text-v2%3A0/invoke',
  'https://api.anthropic.com/v1/messages/count_tokens',
  'http://localhost:11434/api/embed',
  'https://docs-abc.svc.us-east1-gcp.pinecone.io/query',
  'https://docs-abc.svc.us-east1-gcp.pinecone.io/records/namespaces/main/search',
  'http://localhost:6333/collections/docs/points/query',
  'http://localhost:6333/collections/docs/points/search/batch',
  'http://localhost:8000/api/v2/tenants/t/databases/d/collections/1f/query',
  'http://localhost:19530/v2/vectordb/entities/search',
]

const writing = [
  // Jobs that a service runs after it has answered, and what they cost.
  'https://api.tavily.com/crawl',
  'https://api.tavily.com/research',
  'https://api.exa.ai/research/v1',
  'https://api.exa.ai/websets/v0/websets',
  'https://api.firecrawl.dev/v2/crawl',
  'https://api.firecrawl.dev/v1/crawl',
  'https://api.firecrawl.dev/v2/batch/scrape',
  'https://api.firecrawl.dev/v2/extract',
  'https://api.firecrawl.dev/v2/agent',
  'https://api.perplexity.ai/async/chat/completions',
  'https://api.you.com/v1/agents/runs',
  'https://api.jina.ai/v1/train',
  // Batches and changes of an index.
  'https://app1.algolia.net/1/indexes/products/batch',
  'https://app1.algolia.net/1/indexes/*/batch',
  'https://app1.algolia.net/1/indexes/products/deleteByQuery',
  'https://app1.algolia.net/1/indexes/products',
  'https://app1.algolia.net/1/indexes/products/7/partial',
  'https://insights.algolia.io/1/events',
  'http://localhost:9200/_bulk',
  'http://localhost:9200/docs/_bulk',
  'http://localhost:9200/docs/_doc',
  'http://localhost:9200/docs/_update/7',
  'http://localhost:9200/docs/_update_by_query',
  'http://localhost:9200/docs/_delete_by_query',
  'http://localhost:9200/_reindex',
  'http://localhost:9200/docs/_refresh',
  'http://localhost:8108/collections/products/documents/import?action=upsert',
  'http://localhost:8108/collections/products/documents',
  'http://localhost:7700/indexes/movies/documents',
  'http://localhost:7700/indexes/movies/documents/delete-batch',
  'http://localhost:7700/indexes/movies/documents/edit',
  'http://localhost:7700/swap-indexes',
  'https://api.pinecone.io/indexes',
  'https://docs-abc.svc.us-east1-gcp.pinecone.io/vectors/upsert',
  'https://docs-abc.svc.us-east1-gcp.pinecone.io/vectors/delete',
  'http://localhost:6333/collections/docs/points/delete',
  'http://localhost:8000/api/v2/tenants/t/databases/d/collections/1f/upsert',
  'http://localhost:19530/v2/vectordb/entities/insert',
  // Other services, at the same paths or hosts with a similar name.
  'https://shop.example/search',
  'https://shop.example/query',
  'https://api.tavily.com.shop.example/search',
  'https://shop.example/api.tavily.com/search',
  'https://notpinecone.io/query',
  'https://payments.example/v1/refunds',
  'https://api.openai.com/v1/files',
  'https://api.cohere.com/v1/embed-jobs',
  'https://shop.example/orders/embeddings/7/pay',
]

it.each(reading)('takes a POST that is known to only read for a read: %s', (url) => {
  expect(mayWrite({ method: 'POST', url }, undefined)).toBe(false)
  // Only with the documented method.
  for (const method of ['PUT', 'PATCH', 'DELETE']) expect(mayWrite({ method, url }, undefined)).toBe(true)
})

it.each(writing)('takes any other POST for a possible write: %s', (url) => {
  expect(mayWrite({ method: 'POST', url }, undefined)).toBe(true)
})

it.each<[url: string, body: unknown, writes: boolean]>([
  ['https://api.firecrawl.dev/v2/scrape', { url: 'https://shop.example' }, false],
  ['https://api.firecrawl.dev/v2/scrape', { url: 'https://shop.example', actions: [{ type: 'click', selector: '#buy' }] }, true],
  ['https://api.firecrawl.dev/v2/search', { query: 'chairs' }, false],
  ['https://api.firecrawl.dev/v2/search', { query: 'chairs', scrapeOptions: { actions: [{ type: 'click', selector: '#buy' }] } }, true],
  ['https://r.jina.ai/', { url: 'https://shop.example' }, false],
  ['https://r.jina.ai/', { url: 'https://shop.example', injectPageScript: ['buy()'] }, true],
  ['https://s.jina.ai/', { q: 'chairs' }, false],
  ['http://localhost:9200/_sql?format=json', { query: 'SELECT * FROM docs' }, false],
  ['http://localhost:9200/_sql', { cursor: 'sDXF1Z' }, false],
  ['http://localhost:9200/_query', { query: 'FROM docs | LIMIT 5' }, false],
  ['http://localhost:9200/_plugins/_sql', { query: 'select * from docs' }, false],
  ['http://localhost:9200/_plugins/_sql', { query: 'DELETE FROM docs' }, true],
  ['http://localhost:9200/_plugins/_ppl', { query: 'source=docs | head 5' }, false],
  // CrateDB runs any statement there.
  ['http://localhost:4200/_sql', { stmt: 'DELETE FROM docs' }, true],
])('decides by the body: %s %j', (url, body, writes) => {
  expect(mayWrite({ method: 'POST', url, json: body }, undefined)).toBe(writes)
  // As a recorder sees it.
  expect(mayWrite({ method: 'POST', url, text: JSON.stringify(body, undefined, 2) }, undefined)).toBe(writes)
  // Nothing is known of a body that is not there yet.
  expect(mayWrite({ method: 'POST', url }, undefined)).toBe(true)
})

it.each<[method: string, url: string, writes: boolean]>([
  ['POST', 'https://search.example/v1/tickets?page=2', false],
  ['POST', 'https://search.example:8443/v1/tickets', false],
  ['POST', 'https://search.example/v1/reindex', true],
  ['POST', 'https://search.example/v1/tickets/7', true],
  ['PUT', 'https://search.example/v1/tickets', true],
  ['GET', 'https://mail.example/unsubscribe?user=7', true],
  ['GET', 'https://mail.example/inbox', false],
  ['POST', 'https://api.tavily.com/search', true],
  ['POST', 'https://api.exa.ai/search', false],
])('lets declared effects decide first: %s %s', (method, url, writes) => {
  const effects = {
    'POST search.example/v1/reindex': 'write',
    'POST search.example/v1/*': 'read',
    'GET mail.example/unsubscribe': 'write',
    'POST api.tavily.com/**': 'write',
  } as const
  expect(mayWrite({ method, url }, effects)).toBe(writes)
})

const message = (method: string): object => ({ jsonrpc: '2.0', id: 1, method })
const mcp = 'https://tools.example/mcp'

it('knows which messages of an MCP client only read', () => {
  for (const method of ['initialize', 'ping', 'tools/list', 'resources/read', 'prompts/get', 'notifications/initialized'])
    expect(mayWrite({ method: 'POST', url: mcp, json: message(method) }, undefined)).toBe(false)
  expect(mayWrite({ method: 'POST', url: mcp, text: JSON.stringify([message('tools/list'), message('prompts/list')]) }, undefined)).toBe(
    false,
  )
  expect(mayWrite({ method: 'POST', url: mcp, json: message('tools/call') }, undefined)).toBe(true)
  expect(mayWrite({ method: 'POST', url: mcp, json: [message('tools/list'), message('tools/call')] }, undefined)).toBe(true)
  expect(mayWrite({ method: 'POST', url: mcp, json: [] }, undefined)).toBe(true)
  expect(mayWrite({ method: 'POST', url: mcp, json: { method: 'tools/list' } }, undefined)).toBe(true)
  expect(mayWrite({ method: 'POST', url: mcp, text: '"jsonrpc" {' }, undefined)).toBe(true)
  expect(mayWrite({ method: 'POST', url: mcp }, undefined)).toBe(true)
})
