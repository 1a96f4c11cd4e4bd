import { expect, it } from 'vitest'
import { mayWrite } from '../../src/trace/reading-requests.ts'

// As the services document them.
const reading = [
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
  'http://localhost:9200/docs/_search?size=5',
]

const writing = [
  'https://api.pinecone.io/indexes',
  'https://docs-abc.svc.us-east1-gcp.pinecone.io/vectors/upsert',
  'https://docs-abc.svc.us-east1-gcp.pinecone.io/vectors/delete',
  'http://localhost:6333/collections/docs/points/delete',
  'http://localhost:8000/api/v2/tenants/t/databases/d/collections/1f/upsert',
  'http://localhost:19530/v2/vectordb/entities/insert',
  'http://localhost:9200/docs/_doc',
  'http://localhost:9200/_bulk',
  'http://localhost:9200/docs/_delete_by_query',
  'https://payments.example/v1/refunds',
  'https://shop.example/query',
  'https://api.openai.com/v1/files',
  'https://api.cohere.com/v1/embed-jobs',
  'https://shop.example/orders/embeddings/7/pay',
]

it.each(reading)('takes a POST that only reads for none that writes: %s', (url) => {
  expect(mayWrite({ method: 'POST', url })).toBe(false)
  // Only as it is documented.
  for (const method of ['PUT', 'PATCH', 'DELETE']) expect(mayWrite({ method, url })).toBe(true)
})

it.each(writing)('takes any other for one that may write: %s', (url) => {
  expect(mayWrite({ method: 'POST', url })).toBe(true)
})

const message = (method: string): object => ({ jsonrpc: '2.0', id: 1, method })
const mcp = 'https://tools.example/mcp'

it('knows what a client of MCP only asks', () => {
  for (const method of ['initialize', 'ping', 'tools/list', 'resources/read', 'prompts/get', 'notifications/initialized'])
    expect(mayWrite({ method: 'POST', url: mcp, json: message(method) })).toBe(false)
  expect(mayWrite({ method: 'POST', url: mcp, text: JSON.stringify([message('tools/list'), message('prompts/list')]) })).toBe(false)
  expect(mayWrite({ method: 'POST', url: mcp, json: message('tools/call') })).toBe(true)
  expect(mayWrite({ method: 'POST', url: mcp, json: [message('tools/list'), message('tools/call')] })).toBe(true)
  expect(mayWrite({ method: 'POST', url: mcp, json: [] })).toBe(true)
  expect(mayWrite({ method: 'POST', url: mcp, json: { method: 'tools/list' } })).toBe(true)
  expect(mayWrite({ method: 'POST', url: mcp, text: '"jsonrpc" {' })).toBe(true)
  expect(mayWrite({ method: 'POST', url: mcp })).toBe(true)
})
