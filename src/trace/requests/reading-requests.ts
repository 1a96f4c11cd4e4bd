import { isJsonObject } from '../json.ts'

/** `POST` requests of a service that only read. */
export interface ReadingRequests {
  /** `*` for a service that anybody can host. */
  readonly hosts: readonly string[]
  /** Each of them at each host. */
  readonly paths: readonly string[]
  /** Whether such a request only reads, by its body. Default: it does, whatever its body. */
  readonly readsBy?: (body: unknown) => boolean
}

/** Firecrawl can click, type and run scripts on the page that it scrapes. */
function hasNoActions(body: unknown): boolean {
  return isJsonObject(body) && ![body, body['scrapeOptions']].some((options) => isJsonObject(options) && 'actions' in options)
}

/** The reader can run a script on the page that it reads. */
function hasNoScript(body: unknown): boolean {
  return isJsonObject(body) && !('injectPageScript' in body)
}

/** OpenSearch's SQL has DELETE, and CrateDB runs any `stmt` at the same path. */
function isReadingStatement(body: unknown): boolean {
  if (!isJsonObject(body)) return false
  const { query, cursor, stmt } = body
  return typeof query === 'string' ? readingCommand.test(query) : typeof cursor === 'string' && stmt === undefined
}

/** Commands of SQL, ES|QL and PPL. */
const readingCommand = /^\s*(?:select|show|describe|desc|explain|with|from|row|ts|search|source)\b/i

/** Paths below any prefix. */
function anywhere(paths: readonly string[]): string[] {
  return paths.map((path) => `/**/${path}`)
}

/**
 * The paths are those of the services' documentation and of their JavaScript clients. What is missing on purpose writes: jobs that run after the
 * response (`/crawl`, `/batch/scrape`, `/research`, `/extract` of Firecrawl), batches of changes, and administration.
 */
export const readingRequests: readonly ReadingRequests[] = [
  // Tavily: https://docs.tavily.com
  {
    hosts: ['api.tavily.com'],
    paths: ['/search', '/extract', '/map'],
  },
  // Exa: https://exa.ai/docs
  {
    hosts: ['api.exa.ai'],
    paths: ['/search', '/contents', '/findSimilar', '/answer'],
  },
  // Firecrawl: https://docs.firecrawl.dev
  {
    hosts: ['api.firecrawl.dev'],
    paths: ['/v*/scrape', '/v*/search'],
    readsBy: hasNoActions,
  },
  // Firecrawl: https://docs.firecrawl.dev
  {
    hosts: ['api.firecrawl.dev'],
    paths: ['/v*/map', '/v*/crawl/params-preview'],
  },
  // Jina: https://jina.ai/reader
  { hosts: ['r.jina.ai', 's.jina.ai'], paths: ['/**'], readsBy: hasNoScript },
  // Jina: https://docs.jina.ai
  { hosts: ['api.jina.ai'], paths: ['/v1/classify', '/v1/segment'] },
  // Serper: https://serper.dev
  { hosts: ['google.serper.dev', 'scrape.serper.dev'], paths: ['/**'] },
  // Brave Search: https://api-dashboard.search.brave.com/documentation
  {
    hosts: ['api.search.brave.com'],
    paths: ['/res/v1/*/search', '/res/v1/llm/context'],
  },
  // Perplexity: https://docs.perplexity.ai
  {
    hosts: ['api.perplexity.ai'],
    paths: ['/search'],
  },
  // You.com: https://docs.you.com
  {
    hosts: ['ydc-index.io', '*.ydc-index.io', 'api.you.com'],
    paths: ['/v1/search', '/v1/contents', '/v1/research'],
  },
  // Linkup: https://docs.linkup.so
  {
    hosts: ['api.linkup.so'],
    paths: ['/v1/search', '/v1/fetch'],
  },
  // Algolia: https://www.algolia.com/doc/rest-api/search
  {
    hosts: ['*.algolia.net', '*.algolianet.com'],
    paths: [
      '/1/indexes/*/query',
      '/1/indexes/*/queries',
      '/1/indexes/*/browse',
      '/1/indexes/*/objects',
      '/1/indexes/*/facets/*/query',
      '/1/indexes/*/rules/search',
      '/1/indexes/*/synonyms/search',
      '/1/indexes/*/recommendations',
      '/1/dictionaries/*/search',
    ],
  },
  // Elasticsearch, OpenSearch: https://www.elastic.co/docs/api/doc/elasticsearch, https://docs.opensearch.org/latest/api-reference
  {
    hosts: ['*'],
    paths: anywhere([
      '_search',
      '_search/scroll',
      '_search/template',
      '_search/point_in_time',
      '_msearch',
      '_msearch/template',
      '_async_search',
      '_knn_search',
      '_eql/search',
      '_graph/explore',
      '_pit',
      '_count',
      '_mget',
      '_explain/*',
      '_field_caps',
      '_terms_enum',
      '_termvectors',
      '_termvectors/*',
      '_mtermvectors',
      '_search_shards',
      '_validate/query',
      '_rank_eval',
      '_render/template',
      '_render/template/*',
      '_analyze',
    ]),
  },
  // Elasticsearch, OpenSearch: https://www.elastic.co/docs/reference/query-languages, https://docs.opensearch.org/latest/search-plugins/sql/sql-ppl-api
  {
    hosts: ['*'],
    paths: anywhere(['_sql', '_sql/translate', '_sql/_explain', '_query', '_query/async', '_ppl', '_ppl/_explain']),
    readsBy: isReadingStatement,
  },
  // Typesense: https://typesense.org/docs/latest/api/federated-multi-search.html
  {
    hosts: ['*'],
    paths: anywhere(['multi_search']),
  },
  // Meilisearch: https://www.meilisearch.com/docs/reference/api/overview
  {
    hosts: ['*'],
    paths: anywhere(['indexes/*/search', 'indexes/*/facet-search', 'indexes/*/similar', 'indexes/*/documents/fetch', 'multi-search']),
  },
  // Pinecone: https://docs.pinecone.io/reference/api
  {
    hosts: ['*.pinecone.io'],
    paths: ['/query', '/describe_index_stats', '/records/namespaces/*/search'],
  },
  // Qdrant: https://api.qdrant.tech
  {
    hosts: ['*'],
    paths: anywhere(
      ['search', 'query', 'scroll', 'recommend', 'discover', 'count'].flatMap((verb) =>
        ['', '/batch', '/groups'].map((form) => `collections/*/points/${verb}${form}`),
      ),
    ),
  },
  // Chroma: https://docs.trychroma.com/reference
  { hosts: ['*'], paths: anywhere(['collections/*/query', 'collections/*/get']) },
  // Milvus: https://milvus.io/api-reference
  {
    hosts: ['*'],
    paths: anywhere(['search', 'advanced_search', 'hybrid_search', 'query', 'get'].map((verb) => `v2/vectordb/entities/${verb}`)),
  },
  // turbopuffer: https://turbopuffer.com/docs
  { hosts: ['*'], paths: anywhere(['v*/namespaces/*/query']) },
  // OpenAI, Cohere, Ollama: https://platform.openai.com/docs/api-reference, https://docs.cohere.com/reference, https://docs.ollama.com/api
  {
    hosts: ['*'],
    paths: anywhere(['embeddings', 'v1/embed', 'v2/embed', 'api/embed', 'rerank', 'moderations', 'tokenize', 'detokenize']),
  },
  // Gemini: https://ai.google.dev/api
  {
    hosts: ['*'],
    paths: anywhere(['models/*:embedContent', 'models/*:batchEmbedContents', 'models/*:countTokens']),
  },
  // Bedrock: https://docs.aws.amazon.com/bedrock/latest/APIReference
  {
    hosts: ['*'],
    paths: anywhere(['model/*embed*/invoke']),
  },
  // Anthropic: https://docs.anthropic.com/en/api/messages-count-tokens
  {
    hosts: ['*'],
    paths: anywhere(['v1/messages/count_tokens']),
  },
]

/** Returns the patterns of a row, as in the recorder's option `effects`. */
export function patternsOf({ hosts, paths }: ReadingRequests): string[] {
  return hosts.flatMap((host) => paths.map((path) => `POST ${host}${path}`))
}
