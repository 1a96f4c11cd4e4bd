import { standInVariables } from '../replay/engine/run-environment.ts'
import type { SentVariables } from '../replay/traces/variables-of.ts'

/** The environment variables for credentials without which the clients of model providers' SDKs cannot be created. */
const keys = [
  'ANTHROPIC_API_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AZURE_OPENAI_API_KEY',
  'CO_API_KEY',
  'COHERE_API_KEY',
  'DEEPSEEK_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GROQ_API_KEY',
  'MISTRAL_API_KEY',
  'OLLAMA_API_KEY',
  'OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
  'TOGETHER_API_KEY',
  'XAI_API_KEY',
]

const prefix = 'goldenrun-stand-in'

/** Returns whether a text contains the stand-in for an API key. */
export function isStandInKey(text: string): boolean {
  return text.includes(prefix)
}

/**
 * Sets missing environment variables, so that a client can be created when the agent's module loads, and so that the agent sends what it sent. A
 * replay never sends a key. Each variable has a text of its own, by which a replay knows where a value comes from.
 *
 * @param variables What a recorded run sent, in addition to the usual keys. Default: none.
 */
export function setStandInKeys(variables: SentVariables = {}): void {
  for (const key of keys) setMissing(key, null)
  for (const [name, value] of Object.entries(variables)) if (setMissing(name, value)) standInVariables.add(name)
}

function setMissing(name: string, value: string | null): boolean {
  if ((process.env[name] ?? '') !== '') return false
  process.env[name] = value ?? `${prefix}-${name}`
  return true
}
