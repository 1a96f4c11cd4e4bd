import { benign, drifting, type Mutation } from './mutation.ts'

const AGENT = 'agent.ts'
const CONFIG = 'config.ts'
const TOOLS = 'tools.ts'

/** Changes of the agent on a framework that cannot be noticed from outside. */
export const FRAMEWORK_REFACTORINGS: readonly Mutation[] = [
  benign('more turns allowed', 'twenty', [CONFIG, 'MAX_STEPS = 8', 'MAX_STEPS = 20']),
  benign('longer limit', 'of the trip', [CONFIG, 'LIMIT_MS = 60_000', 'LIMIT_MS = 240_000']),
  benign('longer limit', 'none', [AGENT, '    abortSignal: AbortSignal.timeout(LIMIT_MS),\n', '']),
  benign('more retries allowed', 'three', [AGENT, 'maxRetries: 1', 'maxRetries: 3']),
  benign('an extra clock read', 'before the trip', [
    AGENT,
    'const trip = crypto',
    'Date.now()\n  crypto.randomUUID()\n  const trip = crypto',
  ]),
  benign('an extra clock read', 'before each booking', [TOOLS, '({ id }) => book(', '({ id }) => void Date.now() ?? book(']),
  benign('Date.now and new Date', 'of a booking', [TOOLS, 'at: Date.now()', 'at: new Date().getTime()']),
  benign('an awaited no-op', 'before the letter', [AGENT, 'const letter =', 'await null\n  const letter =']),
  benign('added sleep', 'before the letter', [
    AGENT,
    'const letter =',
    'await new Promise((resolve) => setTimeout(resolve, 7))\n  const letter =',
  ]),
  benign('reordered object keys', 'of the options', [
    AGENT,
    "system: 'You write letters.',\n    prompt: planned.text,",
    "prompt: planned.text,\n    system: 'You write letters.',",
  ]),
  benign('reordered object keys', 'of a tool call', [TOOLS, '{ town, nights, trip }', '{ trip, nights, town }']),
  benign('renamed variables', 'the text', [AGENT, 'const pieces: string[] = []', 'const pieces: Array<string> = []']),
  benign('whitespace', 'blank lines', [AGENT, 'const letter =', '\n\n  const letter =']),
  benign('extra logging', 'of each step', [
    AGENT,
    '    maxRetries: 1,',
    '    maxRetries: 1,\n    onStepFinish: ({ text }) => void performance.mark(text.slice(0, 5)),',
  ]),
  benign('a client built elsewhere', 'for the letter', [
    AGENT,
    "model: provider.chat(MODEL),\n    system: 'You",
    "model: createOpenAI({ apiKey: 'sk-local', baseURL: `${context.url}/v1` }).chat(MODEL),\n    system: 'You",
  ]),
  benign('stream read otherwise', 'as a whole', [
    AGENT,
    '  for await (const piece of letter.textStream) {\n    pieces.push(piece)\n  }\n',
    '  pieces.push(await letter.text)\n',
  ]),
  benign('parallel-safe refactoring', 'awaited as a promise', [
    AGENT,
    'await send(',
    'await Promise.all([1]).then(() => undefined)\n  await send(',
  ]),
  benign(
    'split helper',
    'the day',
    [AGENT, 'new Date().toISOString().slice(0, 10)', 'toDay(new Date())'],
    [AGENT, '/** Plans a trip', 'function toDay(date: Date): string {\n  return date.toISOString().slice(0, 10)\n}\n\n/** Plans a trip'],
  ),
  benign('added types', 'of the letter', [AGENT, "const text = pieces.join('')", "const text: string = pieces.join('')"]),
  drifting('an effect', 'write becomes read', [TOOLS, "tool('book', { effect: 'write' }", "tool('book', { effect: 'read' }"]),
]
