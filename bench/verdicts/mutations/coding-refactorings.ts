import { benign, drifting, type Mutation } from './mutation.ts'

const AGENT = 'agent.ts'
const CONFIG = 'config.ts'
const WORKSPACE = 'workspace.ts'

/** Changes of the coding agent that cannot be noticed from outside. */
export const CODING_REFACTORINGS: readonly Mutation[] = [
  benign('more turns allowed', 'sixty', [CONFIG, 'MAX_TURNS = 30', 'MAX_TURNS = 60']),
  benign('more history', 'than there is', [CONFIG, 'HISTORY = 80', 'HISTORY = 200']),
  benign('more history', 'of results', [CONFIG, 'LONGEST = 4000', 'LONGEST = 8000']),
  benign('feature flag that is not used', 'review', [CONFIG, 'review: false', 'review: true']),
  benign('memoisation added', 'of a task that is asked for once', [
    AGENT,
    'await workspace.getTask(task, session)',
    'await (new Map([[task, workspace.getTask(task, session)]]).get(task) ?? workspace.getTask(task, session))',
  ]),
  benign('an extra clock read', 'of each turn', [AGENT, '    turns += 1\n', '    turns += 1\n    void Date.now()\n']),
  benign('an extra clock read', 'of an id for each turn', [AGENT, '    turns += 1\n', '    turns += 1\n    void crypto.randomUUID()\n']),
  benign('an extra clock read', 'before the tests', [
    WORKSPACE,
    'const { passed, coverage } =',
    'performance.now()\n          new Date()\n          const { passed, coverage } =',
  ]),
  benign('Date.now and new Date', 'of the tests', [WORKSPACE, 'new Date().toISOString()', 'new Date(Date.now()).toISOString()']),
  benign('Date.now and new Date', 'of the commit', [AGENT, 'Math.floor(Date.now() / 1000)', 'Math.floor(new Date().getTime() / 1000)']),
  benign('hoisted read', 'the change, before it is needed', [
    WORKSPACE,
    "        case 'write_file': {\n          const change = crypto.randomUUID()",
    "        case 'write_file': {\n          await null\n          const change = crypto.randomUUID()",
  ]),
  benign('an awaited no-op', 'in the loop', [
    AGENT,
    '    for (const call of calls) {',
    '    await undefined\n    for (const call of calls) {',
  ]),
  benign('an awaited no-op', 'of a turn of the event loop', [
    AGENT,
    '    turns += 1\n',
    '    await new Promise((resolve) => setImmediate(resolve))\n    turns += 1\n',
  ]),
  benign('added sleep', 'between turns', [
    AGENT,
    '    turns += 1\n',
    '    await new Promise((resolve) => setTimeout(resolve, 2))\n    turns += 1\n',
  ]),
  benign('renamed variables', 'the summary', [AGENT, "let summary = ''", "let summary: string = ''"]),
  benign(
    'renamed variables',
    'of a function',
    ['history.ts', 'export function tellOf(', 'export function toHistory('],
    [AGENT, 'import { tellOf }', 'import { toHistory }'],
    [AGENT, 'ask(tellOf(messages))', 'ask(toHistory(messages))'],
  ),
  benign('reordered object keys', 'of the request', [
    'ask.ts',
    'model: MODEL, temperature: 0, max_tokens: 2000, messages: [...messages], tools: TOOLS',
    'tools: TOOLS, messages: [...messages], max_tokens: 2000, temperature: 0, model: MODEL',
  ]),
  benign('reordered object keys', 'of a write', [WORKSPACE, '{ ...args, change, session }', '{ session, change, ...args }']),
  benign('whitespace', 'comments', [AGENT, '  let turns = 0', '\n  // From here on.\n\n  let turns = 0']),
  benign('extra logging', 'to a file', [
    AGENT,
    '    turns += 1\n',
    "    turns += 1\n    await (await import('node:fs/promises')).appendFile((await import('node:os')).devNull, `${turns}`)\n",
  ]),
  benign(
    'split helper',
    'running a call',
    [
      AGENT,
      'await workspace.run(call.function.name, JSON.parse(call.function.arguments) as Record<string, string>)',
      'await run(call.function.name, call.function.arguments)',
    ],
    [
      AGENT,
      '  function reach(',
      '  function run(name: string, printed: string): Promise<unknown> {\n    return workspace.run(name, JSON.parse(printed) as Record<string, string>)\n  }\n\n  function reach(',
    ],
  ),
  benign('added types', 'of the messages', [AGENT, 'let turns = 0', 'let turns: number = 0']),
  benign(
    'a client built elsewhere',
    'for every call',
    [
      'ask.ts',
      '  return async (messages) => {',
      "  return async (messages) => {\n    const client = new OpenAI({ apiKey: 'sk-another', baseURL: `${base}/v1`, timeout: 70_000 })",
    ],
    ['ask.ts', "  const client = new OpenAI({ apiKey: 'sk-local', baseURL: `${base}/v1` })\n", ''],
  ),
  {
    ...benign('another SDK version', 'the sixth', ['ask.ts', "import OpenAI from 'openai'", "import OpenAI from 'openai6'"]),
    takes: 'openai6',
  },
  {
    ...benign('another SDK version', 'the fifth', ['ask.ts', "import OpenAI from 'openai'", "import OpenAI from 'openai5'"]),
    takes: 'openai5',
  },
  {
    ...benign('another SDK version', 'the fourth', ['ask.ts', "import OpenAI from 'openai'", "import OpenAI from 'openai4'"]),
    takes: 'openai4',
  },
  benign('longer limit', 'of the model', ['ask.ts', 'baseURL: `${base}/v1` })', 'baseURL: `${base}/v1`, timeout: 900_000 })']),
  drifting('an effect', 'write becomes read', [
    WORKSPACE,
    "tool('write_file', { effect: 'write' }",
    "tool('write_file', { effect: 'read' }",
  ]),
]
