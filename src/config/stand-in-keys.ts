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

const standIn = 'goldenrun-stand-in'

/** Returns whether a text contains the stand-in for an API key. */
export function isStandInKey(text: string): boolean {
  return text.includes(standIn)
}

/** Sets missing API keys to stand-ins, so that a client can be created when the agent's module loads. A replay never sends a key. */
export function setStandInKeys(): void {
  for (const key of keys) if ((process.env[key] ?? '') === '') process.env[key] = standIn
}
