import { benign, type Mutation } from './mutation.ts'

const RETRY = `/** Calls \`attempt\` until it succeeds or was called \`tries\` times. */
export async function retry(tries: number, attempt: () => Promise<string>): Promise<string | null> {
  let left = tries
  while (left > 0) {
    left -= 1
    const done = await attempt().catch(() => undefined)
    if (done !== undefined) return done
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, 3 * (tries - left)))
  }
  return null
}
`

/** Changes of the desk that cannot be noticed from outside. */
export const SUPPORT_REFACTORINGS: readonly Mutation[] = [
  benign(
    'renamed variables',
    'in the loop',
    ['desk.ts', 'const said = await ask(messages)', 'const answer = await ask(messages)'],
    ['desk.ts', 'messages.push(said)', 'messages.push(answer)'],
    ['desk.ts', 'const calls = said.tool_calls ?? []', 'const calls = answer.tool_calls ?? []'],
    ['desk.ts', "lastWords = said.content ?? ''", "lastWords = answer.content ?? ''"],
    ['desk.ts', 'hear(said.content)', 'hear(answer.content)'],
  ),
  benign(
    'renamed variables',
    'of a function',
    ['prompt.ts', 'export function openMessages(', 'export function startConversation('],
    ['desk.ts', "import { openMessages } from './prompt.ts'", "import { startConversation } from './prompt.ts'"],
    ['desk.ts', '= openMessages(', '= startConversation('],
  ),
  benign('reordered object keys', 'of the request', [
    'model.ts',
    '{ model: MODEL, temperature: TEMPERATURE, max_tokens: MAX_TOKENS, messages, tools }',
    '{ tools, messages, max_tokens: MAX_TOKENS, model: MODEL, temperature: TEMPERATURE }',
  ]),
  benign('reordered object keys', 'of a tool definition', [
    'model.ts',
    '{ name: definition.name, description: definition.description, parameters: { ...definition.parameters } }',
    '{ parameters: { ...definition.parameters }, description: definition.description, name: definition.name }',
  ]),
  benign('reordered object keys', 'of arguments', [
    'opening.ts',
    '{ domain, minutes: 30, urgent: false }',
    '{ urgent: false, minutes: 30, domain }',
  ]),
  benign(
    'reordered object keys',
    'of a checkpoint and the output',
    ['desk.ts', '{ ended, turns })', '{ turns, ended })'],
    ['desk.ts', '{ ended, turns, lastWords, receipt }', '{ receipt, lastWords, turns, ended }'],
  ),
  benign(
    'whitespace',
    'blank lines and comments',
    ['desk.ts', 'const lookups = createLookups', '\n\n\n  // The tools.\n\n  const lookups = createLookups'],
    ['opening.ts', 'const [notices', '\n  /* All at once. */\n\n  const [notices'],
  ),
  benign('whitespace', 'a call over several lines', [
    'opening.ts',
    'lookups.getHours({ domain, day:',
    'lookups\n    .getHours({\n      domain,\n      day:',
  ]),
  benign(
    'extra logging',
    'to a file, at once',
    ['desk.ts', 'messages.push(said)', 'appendFileSync(devNull, JSON.stringify(said))\n    messages.push(said)'],
    [
      'desk.ts',
      'import { MAX_TURNS }',
      "import { appendFileSync } from 'node:fs'\nimport { devNull } from 'node:os'\nimport { MAX_TURNS }",
    ],
  ),
  benign(
    'extra logging',
    'to a file, awaited',
    ['desk.ts', 'messages.push(said)', 'await appendFile(devNull, JSON.stringify(said))\n    messages.push(said)'],
    [
      'desk.ts',
      'import { MAX_TURNS }',
      "import { appendFile } from 'node:fs/promises'\nimport { devNull } from 'node:os'\nimport { MAX_TURNS }",
    ],
  ),
  benign(
    'extra logging',
    'of debugging',
    ['retry.ts', 'return await attempt()', "log('try %d', count)\n      return await attempt()"],
    ['retry.ts', 'const PAUSE_MS = 3', "import { debuglog } from 'node:util'\n\nconst log = debuglog('desk')\n\nconst PAUSE_MS = 3"],
  ),
  benign('an extra clock read', 'of Date.now', [
    'desk.ts',
    'const said = await ask(messages)',
    'const asked = Date.now()\n    const said = await ask(messages)\n    void (Date.now() - asked)',
  ]),
  benign('an extra clock read', 'before the one that is used', [
    'desk.ts',
    'const today = new Date()',
    'const opened = new Date()\n  void opened\n  const today = new Date()',
  ]),
  benign('an extra clock read', 'of performance.now in the retry', [
    'retry.ts',
    'return await attempt()',
    'performance.now()\n      return await attempt()',
  ]),
  benign('an extra clock read', 'and a draw before the one that is used', [
    'desk.ts',
    'const ticket = crypto.randomUUID()',
    'crypto.randomUUID()\n  Math.random()\n  const ticket = crypto.randomUUID()',
  ]),
  benign('an awaited no-op', 'in the loop', [
    'desk.ts',
    'const said = await ask(messages)',
    'await undefined\n    const said = await ask(messages)\n    await Promise.resolve()',
  ]),
  benign('an awaited no-op', 'in a branch of three', [
    'opening.ts',
    'lookups.getLimits({ domain, most: 5 })',
    'Promise.resolve().then(() => lookups.getLimits({ domain, most: 5 }))',
  ]),
  benign('an awaited no-op', 'of a turn of the event loop', [
    'opening.ts',
    'const [notices',
    'await new Promise((resolve) => setImmediate(resolve))\n  const [notices',
  ]),
  benign('an awaited no-op', 'of a millisecond', [
    'opening.ts',
    'const [notices',
    'await new Promise((resolve) => setTimeout(resolve, 1))\n  const [notices',
  ]),
  benign(
    'a helper moved',
    'to another file',
    ['opening.ts', "import { retry } from './retry.ts'", "import { retry } from './attempts.ts'"],
    ['attempts.ts', '', RETRY],
  ),
  benign(
    'a client built elsewhere',
    'when the module is loaded',
    ['model.ts', "const client = new OpenAI({ apiKey: 'sk-local', baseURL })", 'const client = shared.withOptions({ baseURL })'],
    ['model.ts', 'function parse(', "const shared = new OpenAI({ apiKey: 'sk-local' })\n\nfunction parse("],
  ),
  benign(
    'a client built elsewhere',
    'for every call',
    ['model.ts', "const client = new OpenAI({ apiKey: 'sk-local', baseURL })", ''],
    ['model.ts', 'const request = {', "const client = new OpenAI({ apiKey: 'sk-local', baseURL })\n    const request = {"],
  ),
  {
    ...benign('another SDK version', 'of the same body', ['model.ts', "import OpenAI from 'openai'", "import OpenAI from 'openai-before'"]),
    takes: 'openai-before',
  },
  benign('other headers', 'user agent and a request id', [
    'model.ts',
    "apiKey: 'sk-local', baseURL })",
    "apiKey: 'sk-local', baseURL, defaultHeaders: { 'user-agent': 'desk/2', 'x-client-request-id': '7' } })",
  ]),
  benign('other headers', 'another key', ['model.ts', "'sk-local'", "'sk-another'"]),
]
