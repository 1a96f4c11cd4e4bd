import { urlPath } from './url-path.ts'

/** The dialects by the addresses of their model calls, most used first. */
const ADDRESSES: readonly (readonly [dialect: string, isAddress: (path: string, url: string) => boolean])[] = [
  ['openai.chat', (path) => path.endsWith('/chat/completions')],
  ['anthropic.messages', isAnthropicMessages],
  ['openai.responses', (path) => RESPONSES.test(path)],
  ['gemini.content', (path) => GEMINI.test(path)],
  ['bedrock.converse', (path) => /\/model\/[^/]+\/converse(?:-stream)?$/.test(path)],
  ['bedrock.invoke', isBedrockInvoke],
  ['cohere.chat', (path) => path.endsWith('/v2/chat')],
  ['ollama.chat', (path) => path.endsWith('/api/chat') && OLLAMA_HOST.test(path)],
]

/**
 * Returns the dialect of a model call, by method and address alone; undefined for any other request. Called for every HTTP request before its body is
 * known, and in production: the code that reads bodies is in `dialects.ts`.
 */
export function recogniseDialect(method: string, url: string): string | undefined {
  if (method !== 'POST') return undefined
  const path = urlPath(url)
  return ADDRESSES.find(([, isAddress]) => isAddress(path, url))?.[0]
}

/**
 * The path before `/responses` at OpenAI, Azure, DeepSeek and gateways. A form or a survey has responses as well (`/forms/7/responses`), so not every
 * path with this end is a model call.
 */
const RESPONSES = /(?:^\w+:\/\/[^/]+|^|\/(?:v\d+\w*|api|beta|codex|compat|inference|openai|deployments\/[^/]+))\/responses$/

/** Vonage sends text messages to `/v1/messages`: a write that must not be taken for a model call. */
const VONAGE = /^https?:\/\/[^/]*\b(?:nexmo|vonage)\.com[:/]/

/** Claude on Vertex has the body of Anthropic's messages. `count-tokens` looks like a model there only in the address. */
const CLAUDE_ON_VERTEX = /\/publishers\/anthropic\/models\/(?!count-tokens)[^/:]+:(?:streamR|r)awPredict$/

function isAnthropicMessages(path: string, url: string): boolean {
  return (path.endsWith('/v1/messages') && !VONAGE.test(url)) || CLAUDE_ON_VERTEX.test(path)
}

const GEMINI = /\/(?:models|tunedModels|endpoints)\/[^/:]+:(?:streamG|g)enerateContent$/

/** Models that do not answer in words, and models whose body is a plain prompt in a format of its own. */
const NO_CHAT = /embed|rerank|image|canvas|reel|sonic|stability|twelvelabs|titan|llama|cohere/

function isBedrockInvoke(path: string): boolean {
  const model = /\/model\/([^/]+)\/invoke(?:-with-response-stream)?$/.exec(path)?.[1]
  return model !== undefined && !NO_CHAT.test(model)
}

/** Many web applications answer at `/api/chat`, so Ollama's is recognised on this machine, at Ollama's port, or at a host with its name. */
const OLLAMA_HOST = /^\w+:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|[^/:]*ollama[^/:]*)(?::\d+)?\/|^\w+:\/\/[^/]+:11434\//
