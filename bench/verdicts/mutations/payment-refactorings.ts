import { benign, drifting, type Mutation } from './mutation.ts'

const AGENT = 'agent.ts'
const CONFIG = 'config.ts'

/** Changes of the payments agent that cannot be noticed from outside. */
export const PAYMENT_REFACTORINGS: readonly Mutation[] = [
  benign('longer limit', 'of requests', [CONFIG, 'REQUEST_LIMIT_MS = 5000', 'REQUEST_LIMIT_MS = 15_000']),
  benign('longer limit', 'of the model', [CONFIG, 'MODEL_LIMIT_MS = 30_000', 'MODEL_LIMIT_MS = 90_000']),
  benign('longer limit', 'of notices', [CONFIG, 'NOTIFY_LIMIT_MS = 2000', 'NOTIFY_LIMIT_MS = 3000']),
  benign('longer limit', 'shorter, and long enough', [CONFIG, 'REQUEST_LIMIT_MS = 5000', 'REQUEST_LIMIT_MS = 3000']),
  benign('jitter', 'twice as much', ['retry.ts', 'Math.random() * 4', 'Math.random() * 8']),
  benign('jitter', 'none', ['retry.ts', ' + Math.random() * 4', '']),
  benign('jitter', 'a longer pause', [CONFIG, 'PAUSE_MS = 20', 'PAUSE_MS = 35']),
  benign('jitter', 'a shorter pause', [CONFIG, 'PAUSE_MS = 20', 'PAUSE_MS = 5']),
  benign('more turns allowed', 'tries', [CONFIG, 'TRIES = 3', 'TRIES = 5']),
  benign('more turns allowed', 'looks', [CONFIG, 'LOOKS = 4', 'LOOKS = 9']),
  benign('added sleep', 'before the ledger', [
    AGENT,
    'const settled = Date.now()',
    'await new Promise((resolve) => setTimeout(resolve, 12))\n  const settled = Date.now()',
  ]),
  benign('added sleep', 'before the model', [
    AGENT,
    'if (FLAGS.score)',
    'await new Promise((resolve) => setTimeout(resolve, 3))\n  if (FLAGS.score)',
  ]),
  benign('an extra clock read', 'before each', [
    AGENT,
    'const asked = Date.now()',
    'const began = Date.now()\n  void began\n  const asked = Date.now()',
  ]),
  benign('an extra clock read', 'of a draw', [AGENT, 'const key = crypto', 'crypto.randomUUID()\n  const key = crypto']),
  benign('an extra clock read', 'of a time at the end', [AGENT, 'const settled = Date.now()', 'const settled = Date.now()\n  Date.now()']),
  benign(
    'hoisted read',
    'a key, before the model is asked',
    [AGENT, '  const key = crypto.randomUUID()\n', ''],
    [AGENT, '  if (FLAGS.score)', '  const key = crypto.randomUUID()\n  if (FLAGS.score)'],
  ),
  benign(
    'hoisted read',
    'all ids at first',
    [AGENT, '  const entry = crypto.randomUUID()\n', ''],
    [AGENT, '  const request = crypto.randomUUID()\n', '  const request = crypto.randomUUID()\n  const entry = crypto.randomUUID()\n'],
  ),
  benign('Date.now and new Date', 'asked', [AGENT, 'const asked = Date.now()', 'const asked = new Date().valueOf()']),
  benign('Date.now and new Date', 'the seconds', [AGENT, 'Math.floor(settled / 1000)', 'Math.trunc(new Date(settled).getTime() / 1000)']),
  benign('Date.now and new Date', 'the day', [
    AGENT,
    'new Date(settled).toISOString().slice(0, 10)',
    "new Date(settled).toISOString().split('T')[0]",
  ]),
  benign('an awaited no-op', 'before the audit', [AGENT, '  await audit(', '  await null\n  await audit(']),
  benign('an awaited no-op', 'around the bank', [
    AGENT,
    'const bank = connect(context.url)',
    'const plain = connect(context.url)\n  const bank: typeof plain = async (...all) => await plain(...all)',
  ]),
  benign('reordered object keys', 'of the refund', [
    AGENT,
    '{ order, amount, account: ACCOUNT, claim: started + CLAIM_MS }',
    '{ claim: started + CLAIM_MS, account: ACCOUNT, amount, order }',
  ]),
  benign('reordered object keys', 'of the audit', [AGENT, '{ request, entry, customer,', '{ customer, entry, request,']),
  benign('an optional argument', 'undefined', [AGENT, 'lookUp(order)', 'lookUp(order, undefined)']),
  benign(
    'renamed variables',
    'the customer',
    [AGENT, 'const customer = await', 'const client = await'],
    [AGENT, 'entry, customer,', 'entry, customer: client,'],
  ),
  benign('extra logging', 'of each try', [
    'retry.ts',
    'return await attempt(count)',
    'performance.mark(`try ${count}`)\n      return await attempt(count)',
  ]),
  benign(
    'split helper',
    'the audit',
    [AGENT, 'await audit({ request, entry, customer, at: Math.floor(settled / 1000) })', 'await write(entry)'],
    [
      AGENT,
      '  function reach(',
      '  async function write(booked: string): Promise<void> {\n    await audit({ request, entry: booked, customer, at: Math.floor(Date.now() / 1000) })\n  }\n\n  function reach(',
    ],
  ),
  benign(
    'split helper',
    'the looks',
    [AGENT, "state = latest['state']", 'state = toState(latest)'],
    [
      AGENT,
      '/** Refunds an order',
      "function toState(latest: Record<string, unknown>): unknown {\n  return latest['state']\n}\n\n/** Refunds an order",
    ],
  ),
  benign('added types', 'of the state', [AGENT, "let state = refund['state']", "let state: unknown = refund['state']"]),
  benign('whitespace', 'comments', [AGENT, '  const key = crypto', '\n\n  /* One key. */\n  const key = crypto']),
  benign(
    'a client built elsewhere',
    'once',
    ['decide.ts', 'const client = new OpenAI({', 'const client = shared.withOptions({'],
    ['decide.ts', '/** Asks a model', "const shared = new OpenAI({ apiKey: 'sk-local' })\n\n/** Asks a model"],
  ),
  benign('other headers', 'a user agent', [
    'bank.ts',
    "'content-type': 'application/json',",
    "'content-type': 'application/json', 'user-agent': 'payments/2',",
  ]),
  drifting('an effect', 'write becomes read', [AGENT, "tool('audit', { effect: 'write' }", "tool('audit', { effect: 'read' }"]),
  benign('a signal that never fires', 'of the whole run', [
    'bank.ts',
    'signal: AbortSignal.timeout(REQUEST_LIMIT_MS)',
    'signal: AbortSignal.any([AbortSignal.timeout(REQUEST_LIMIT_MS), new AbortController().signal])',
  ]),
  benign('late work of its own', 'a timer that calls nobody', [
    AGENT,
    'return { refunded: true',
    'setTimeout(() => performance.mark("over"), 20)\n  return { refunded: true',
  ]),
]
