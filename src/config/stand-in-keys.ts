import { isMachineVariable } from '../boundaries/environment/machine-variables.ts'
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

/** goldenrun's own variables: a trace must not decide whether a run is recorded, or where a report is written. */
const OWN = /^GOLDENRUN/i

/**
 * Variables that tell Node, a test runner, a CI service or a library of the system what to do. A trace may say that a run sent one of them, such as
 * `GITHUB_TOKEN`, but not give it a text.
 */
const SWITCH =
  /^(?:NODE_.*|VITEST.*|JEST_.*|CI|GITHUB_.*|RUNNER_.*|ACTIONS_.*|PAGER|BROWSER|EDITOR|VISUAL|TZ|HOME|USERPROFILE|TMPDIR|TMP|TEMP|XDG_.*|.*_PROXY|SSL_.*|OPENSSL_.*)$/i

/** Returns whether a text contains the stand-in for an API key. */
export function isStandInKey(text: string): boolean {
  return text.includes(prefix)
}

/**
 * Sets missing environment variables, so that a client can be created when the agent's module loads, and so that the agent sends what it sent. A
 * replay never sends a key. Each variable has a text of its own, by which a replay knows where a value comes from.
 *
 * @param variables What a recorded run sent, in addition to the usual keys. Default: none. Variables by which a trace could make this process, or one
 * that it starts, run something are left out.
 */
export function setStandInKeys(variables: SentVariables = {}): void {
  for (const key of keys) setMissing(key, null)
  for (const [name, value] of Object.entries(variables)) {
    if (mayBeSet(name, value) && setMissing(name, value)) standInVariables.add(name)
  }
}

/** Returns the environment for a process that is not the agent's: without what was set because a trace named it. */
export function environmentOfStarted(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !standInVariables.has(name)))
}

function mayBeSet(name: string, value: string | null): boolean {
  return !isMachineVariable(name) && !OWN.test(name) && (value === null || !SWITCH.test(name))
}

function setMissing(name: string, value: string | null): boolean {
  if ((process.env[name] ?? '') !== '') return false
  process.env[name] = value ?? `${prefix}-${name}`
  return true
}
