import { hostnameOf } from './url-path.ts'

/** Providers by the end of their API's host, from their own documentation. */
const PROVIDERS: readonly (readonly [host: string, provider: string])[] = [
  ['api.openai.com', 'openai'],
  ['chatgpt.com', 'openai'],
  ['api.anthropic.com', 'anthropic'],
  ['openai.azure.com', 'azure'],
  ['services.ai.azure.com', 'azure'],
  ['cognitiveservices.azure.com', 'azure'],
  ['api.groq.com', 'groq'],
  ['api.mistral.ai', 'mistral'],
  ['api.deepseek.com', 'deepseek'],
  ['api.together.ai', 'together'],
  ['api.together.xyz', 'together'],
  ['openrouter.ai', 'openrouter'],
  ['api.cerebras.ai', 'cerebras'],
  ['api.x.ai', 'xai'],
  ['api.fireworks.ai', 'fireworks'],
  ['api.perplexity.ai', 'perplexity'],
  ['router.huggingface.co', 'huggingface'],
  ['generativelanguage.googleapis.com', 'google'],
  ['aiplatform.googleapis.com', 'vertex'],
  ['amazonaws.com', 'bedrock'],
  ['api.cohere.com', 'cohere'],
  ['api.cohere.ai', 'cohere'],
  ['ollama.com', 'ollama'],
]

/** Returns a provider's name by the host of a URL, or the host itself (without its port) if it is unknown. Empty for a URL without a host. */
export function providerOf(url: string): string {
  const host = hostnameOf(url)
  return PROVIDERS.find(([end]) => host === end || host.endsWith(`.${end}`) || host.endsWith(`-${end}`))?.[1] ?? host
}
