import type { HttpBody } from './rows.ts'
import { parseJson } from './json.ts'

/** The parts of a request that show whether it changes something. */
export interface AskedRequest extends HttpBody {
  readonly method: string
  readonly url: string
}

/** Returns whether a request may change something: its method says so, and it is not a `POST` that is known only to read. */
export function mayWrite(request: AskedRequest): boolean {
  const method = request.method.toUpperCase()
  if (['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method)) return false
  return method !== 'POST' || !(readsByAddress(request.url) || readsByMcp(request))
}

/**
 * Paths for requesting embeddings, rankings, moderation and nearest neighbours, for any host and prefix.
 *
 * @see https://platform.openai.com/docs/api-reference, https://docs.cohere.com/reference, https://ai.google.dev/api, https://docs.ollama.com/api
 * @see https://docs.pinecone.io/reference/api, https://api.qdrant.tech, https://docs.trychroma.com/reference, https://milvus.io/api-reference
 * @see https://www.elastic.co/docs/api/doc/elasticsearch, https://turbopuffer.com/docs
 */
const readingPaths: readonly RegExp[] = [
  // Embeddings, by OpenAI and compatible APIs, Cohere, Ollama, Gemini and Bedrock.
  /\/(?:embeddings|v[12]\/embed|api\/embed)$/,
  /\/models\/[^/:]+:(?:embedContent|batchEmbedContents|countTokens)$/,
  /\/model\/[^/]*embed[^/]*\/invoke$/,
  /\/(?:v\d+\/)?(?:rerank|moderations|tokenize|detokenize)$/,
  /\/v1\/messages\/count_tokens$/,
  // Qdrant, Chroma, Milvus, turbopuffer.
  /\/collections\/[^/]+\/points\/(?:search|query|scroll|recommend|discover|count)(?:\/(?:batch|groups))?$/,
  /\/collections\/[^/]+\/(?:query|get)$/,
  /\/v2\/vectordb\/entities\/(?:search|advanced_search|hybrid_search|query|get)$/,
  /\/v\d+\/namespaces\/[^/]+\/query$/,
  // Elasticsearch and OpenSearch.
  /\/(?:_search|_msearch|_count|_mget)$/,
]

/** Pinecone queries its index at paths that may mean anything on other hosts. */
const pinecone = /^https?:\/\/[^/]*\.pinecone\.io(?::\d+)?\/(?:query|describe_index_stats|records\/namespaces\/[^/]+\/search)$/

function readsByAddress(url: string): boolean {
  const plain = url.replace(/[?#].*$/, '')
  return readingPaths.some((path) => path.test(plain)) || pinecone.test(plain)
}

/** Requests of an MCP client that only read from its server. @see https://modelcontextprotocol.io/specification */
const readingMethods =
  /^(?:initialize|ping|tools\/list|prompts\/(?:list|get)|resources\/(?:list|read|templates\/list)|completion\/complete|notifications\/.+)$/

function readsByMcp(body: HttpBody): boolean {
  const value = body.json ?? (body.text?.includes('"jsonrpc"') === true ? parseJson(body.text) : undefined)
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value]
  return messages.length > 0 && messages.every(isReadingMessage)
}

function isReadingMessage(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || !('jsonrpc' in message) || message.jsonrpc !== '2.0') return false
  return 'method' in message && typeof message.method === 'string' && readingMethods.test(message.method)
}
