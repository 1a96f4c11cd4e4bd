import { after, at, harmful, type Mutation, undecided } from './mutation.ts'
import { type Fields, last, next, nth, the } from './places.ts'

const AGENT = 'agent.ts'
const CONFIG = 'config.ts'

const REFUND = "retry(TRIES, () => bank('POST', '/refunds', { key, body }))"
const LEDGER = "bank('POST', '/ledger', { key: entry, body: booking })"
const AUDIT = 'await audit({ request, entry, customer, at: Math.floor(settled / 1000) })'
const RETURN = "return { refunded: true, id: refund['id'], state, request, tookMs: settled >= asked }"
const RACE = 'await Promise.race([notice, new Promise((resolve) => setTimeout(resolve, NOTIFY_LIMIT_MS))])'
const REACH = "reach('refunded', { refund: refund['id'] })"

const FIRST_TRY = nth('POST /refunds')
const LAST_TRY = last('POST /refunds')
const BOOKED = nth('POST /ledger')
const AUDITED = nth('audit')
const TOLD = nth('POST /notices')
const DECIDED = nth('model')
const ORDERED = next(nth('look_up'))

/** Changes of the payments agent that do harm, and those that no recording can judge. */
export const PAYMENT_CHANGES: readonly Mutation[] = [
  harmful('keys and ids', 'a new key for each try', at(nth('POST /refunds', 2), 'input', 'headers'), [
    AGENT,
    "'/refunds', { key, body }",
    "'/refunds', { key: crypto.randomUUID(), body }",
  ]),
  harmful('keys and ids', 'a new key for each try after the first', at(nth('POST /refunds', 2), 'input', 'headers'), [
    AGENT,
    "() => bank('POST', '/refunds', { key, body }",
    "(count) => bank('POST', '/refunds', { key: count === 1 ? key : crypto.randomUUID(), body }",
  ]),
  harmful('keys and ids', 'the request is the key', at(FIRST_TRY, 'input', 'headers'), [
    AGENT,
    "'/refunds', { key, body }",
    "'/refunds', { key: request, body }",
  ]),
  harmful('keys and ids', "the refund's key is used again", at(BOOKED, 'input', 'headers'), [AGENT, '{ key: entry, body', '{ key, body']),
  harmful(
    'keys and ids',
    "the refund's key is used again, beside one more id",
    at(BOOKED, 'input', 'headers'),
    [AGENT, '{ key: entry, body', '{ key, body'],
    [AGENT, 'const key = crypto', 'crypto.randomUUID()\n  const key = crypto'],
  ),
  harmful('keys and ids', 'no key', at(FIRST_TRY, 'input', 'headers'), [AGENT, "'/refunds', { key, body }", "'/refunds', { body }"]),
  harmful('keys and ids', 'request and entry swapped', at(AUDITED, 'input', 'args'), [
    AGENT,
    'audit({ request, entry,',
    'audit({ request: entry, entry: request,',
  ]),
  harmful(
    'keys and ids',
    'request and entry swapped, beside one more id',
    at(AUDITED, 'input', 'args'),
    [AGENT, 'audit({ request, entry,', 'audit({ request: entry, entry: request,'],
    [AGENT, 'const entry = crypto', 'crypto.randomUUID()\n  const entry = crypto'],
  ),
  harmful('keys and ids', 'a key that is no draw', at(FIRST_TRY, 'input', 'headers'), [
    AGENT,
    'const key = crypto.randomUUID()',
    'const key = `refund-${order}`',
  ]),
  harmful('keys and ids', 'another request in the result', after(last(), 'outcome'), [
    AGENT,
    RETURN,
    RETURN.replace('request,', 'request: crypto.randomUUID(),'),
  ]),
  harmful('swapped draws', 'asked and settled', at(BOOKED, 'input', 'body'), [
    AGENT,
    'amount, asked, settled, day',
    'amount, asked: settled, settled: asked, day',
  ]),
  harmful(
    'swapped draws',
    'asked and settled, beside one more read',
    at(BOOKED, 'input', 'body'),
    [AGENT, 'amount, asked, settled, day', 'amount, asked: settled, settled: asked, day'],
    [AGENT, 'const settled = Date.now()', 'Date.now()\n  const settled = Date.now()'],
  ),
  harmful('swapped draws', 'settled is asked', at(BOOKED, 'input', 'body'), [
    AGENT,
    'amount, asked, settled, day',
    'amount, asked, settled: asked, day',
  ]),
  harmful('units', 'settled in seconds', at(BOOKED, 'input', 'body'), [
    AGENT,
    'amount, asked, settled, day',
    'amount, asked, settled: Math.floor(settled / 1000), day',
  ]),
  harmful(
    'units',
    'settled in seconds, beside one more read',
    at(BOOKED, 'input', 'body'),
    [AGENT, 'amount, asked, settled, day', 'amount, asked, settled: Math.floor(settled / 1000), day'],
    [AGENT, 'const settled = Date.now()', 'Date.now()\n  const settled = Date.now()'],
  ),
  harmful('units', 'the audit in milliseconds', at(AUDITED, 'input', 'args'), [AGENT, 'at: Math.floor(settled / 1000)', 'at: settled']),
  harmful('units', 'a minute in place of an hour', at(FIRST_TRY, 'input', 'body'), [CONFIG, '60 * 60 * 1000', '60 * 1000']),
  harmful(
    'units',
    'a minute in place of an hour, beside one more read',
    at(FIRST_TRY, 'input', 'body'),
    [CONFIG, '60 * 60 * 1000', '60 * 1000'],
    [AGENT, 'const started = Date.now()', 'Date.now()\n  const started = Date.now()'],
  ),
  harmful('units', 'cents become euros', at(FIRST_TRY, 'input', 'body'), [
    AGENT,
    '{ order, amount, account',
    '{ order, amount: amount / 100, account',
  ]),
  harmful('date forms', 'a day in words', at(BOOKED, 'input', 'body'), [
    AGENT,
    'new Date(settled).toISOString().slice(0, 10)',
    'new Date(settled).toDateString()',
  ]),
  harmful('date forms', 'a whole moment', at(BOOKED, 'input', 'body'), [
    AGENT,
    'new Date(settled).toISOString().slice(0, 10)',
    'new Date(settled).toISOString()',
  ]),
  harmful(
    'date forms',
    'a day in words, beside one more read',
    at(BOOKED, 'input', 'body'),
    [AGENT, 'new Date(settled).toISOString().slice(0, 10)', 'new Date(settled).toDateString()'],
    [AGENT, 'const settled = Date.now()', 'Date.now()\n  const settled = Date.now()'],
  ),
  harmful('time limit', 'of a request, by a signal', at(ORDERED, 'time-limit'), [
    CONFIG,
    'REQUEST_LIMIT_MS = 5000',
    'REQUEST_LIMIT_MS = 1',
  ]),
  harmful('time limit', "of the model, by the SDK's option", at(DECIDED, 'time-limit'), [
    CONFIG,
    'MODEL_LIMIT_MS = 30_000',
    'MODEL_LIMIT_MS = 1',
  ]),
  harmful(
    'time limit',
    'of the model, with no retry',
    at(DECIDED, 'time-limit'),
    [CONFIG, 'MODEL_LIMIT_MS = 30_000', 'MODEL_LIMIT_MS = 1'],
    ['decide.ts', 'maxRetries: 1', 'maxRetries: 0'],
  ),
  harmful('time limit', 'of the model, by a signal of its own', at(DECIDED, 'time-limit'), [
    'decide.ts',
    '    ],\n  })',
    '    ],\n  }, { signal: AbortSignal.timeout(2) })',
  ]),
  harmful(
    'call added',
    'if a notice loses a race',
    after(TOLD, 'unexpected-call'),
    [CONFIG, 'NOTIFY_LIMIT_MS = 2000', 'NOTIFY_LIMIT_MS = 1'],
    [AGENT, RACE, `if ((${RACE}) === undefined) await audit({ untold: request })`],
  ),
  harmful('time limit', 'of a notice, by a race that nobody minds', at(TOLD, 'time-limit'), [
    CONFIG,
    'NOTIFY_LIMIT_MS = 2000',
    'NOTIFY_LIMIT_MS = 1',
  ]),
  harmful(
    'time limit',
    'by an AbortController and a timer',
    at(ORDERED, 'time-limit'),
    [
      'bank.ts',
      '    const response = await fetch(',
      '    const controller = new AbortController()\n    setTimeout(() => controller.abort(), 1)\n    const response = await fetch(',
    ],
    ['bank.ts', 'signal: AbortSignal.timeout(REQUEST_LIMIT_MS)', 'signal: controller.signal'],
  ),
  harmful('time limit', 'by any of two signals', at(ORDERED, 'time-limit'), [
    'bank.ts',
    'signal: AbortSignal.timeout(REQUEST_LIMIT_MS)',
    'signal: AbortSignal.any([AbortSignal.timeout(REQUEST_LIMIT_MS), AbortSignal.timeout(2)])',
  ]),
  harmful('late call', 'a second refund a moment after', after(last(), 'unexpected-call'), [
    AGENT,
    RETURN,
    `setTimeout(() => void bank('POST', '/refunds', { key: crypto.randomUUID(), body: { order, amount } }), 20)\n  ${RETURN}`,
  ]),
  harmful('late call', 'a second refund with the same key', after(last(), 'unexpected-call'), [
    AGENT,
    RETURN,
    `setTimeout(() => void bank('POST', '/refunds', { key, body }), 5)\n  ${RETURN}`,
  ]),
  {
    ...harmful('late call', 'an audit a second after', after(last(), 'unexpected-call'), [
      AGENT,
      RETURN,
      `setTimeout(() => void audit({ request, again: true }), 1000)\n  ${RETURN}`,
    ]),
    watchMs: 1200,
  },
  harmful('late call', 'an audit in the next turn', after(last(), 'unexpected-call'), [
    AGENT,
    RETURN,
    `setTimeout(() => void audit({ request, again: true }), 0)\n  ${RETURN}`,
  ]),
  harmful('late call', 'again and again', after(last(), 'unexpected-call'), [
    AGENT,
    RETURN,
    `const timer = setInterval(() => void audit({ request, again: true }), 10)\n  setTimeout(() => clearInterval(timer), 25)\n  ${RETURN}`,
  ]),
  harmful('late call', 'the audit is left for later', at(AUDITED, 'missing-call'), [
    AGENT,
    AUDIT,
    AUDIT.replace('await ', 'setTimeout(() => void ').concat(', 150)'),
  ]),
  harmful('swapped draws', 'asked is the moment that a claim counts from', at(BOOKED, 'input', 'body'), [
    AGENT,
    'amount, asked, settled',
    'amount, asked: started, settled',
  ]),
  harmful('call not awaited', 'the audit', at(TOLD, 'order'), [AGENT, AUDIT, AUDIT.replace('await', 'void')]),
  harmful('call not awaited', 'an extra audit', after(BOOKED, 'unexpected-call'), [
    AGENT,
    AUDIT,
    `void audit({ early: true })\n  ${AUDIT}`,
  ]),
  harmful('call not awaited', 'an extra request', after(LAST_TRY, 'unexpected-call'), [
    AGENT,
    REACH,
    `void bank('POST', '/marks', { body: { order } })\n  ${REACH}`,
  ]),
  harmful('checkpoint moved', 'before the refund', after(next(FIRST_TRY, -1), 'checkpoint'), [
    AGENT,
    `const refund = await ${REFUND}\n  ${REACH}`,
    `reach('refunded', { refund: \`re_\${Number(order.slice(4)) - 1}\` })\n  const refund = await ${REFUND}`,
  ]),
  harmful(
    'checkpoint moved',
    'behind the ledger',
    after(LAST_TRY, 'checkpoint'),
    [AGENT, `${REACH}\n`, ''],
    [AGENT, AUDIT, `${REACH}\n  ${AUDIT}`],
  ),
  harmful(
    'checkpoint moved',
    'before the notice',
    after(AUDITED, 'checkpoint'),
    [AGENT, "\n  reach('told', { state })", ''],
    [AGENT, '  if (FLAGS.notify)', "  reach('told', { state })\n  if (FLAGS.notify)"],
  ),
  harmful('checkpoint dropped', 'refunded', after(LAST_TRY, 'checkpoint'), [AGENT, REACH, '']),
  harmful('checkpoint added', 'booked', after(BOOKED, 'checkpoint'), [AGENT, AUDIT, `reach('booked', { entry: 1 })\n  ${AUDIT}`]),
  harmful('feature flag', 'notices are off', at(TOLD, 'missing-call'), [CONFIG, 'notify: true', 'notify: false']),
  harmful('feature flag', 'scores are on', after(ORDERED, 'unexpected-call'), [CONFIG, 'score: false', 'score: true']),
  harmful('a retry more', 'of what has worked', after(LAST_TRY, 'unexpected-call'), [
    'retry.ts',
    'return await attempt(count)',
    'const done = await attempt(count)\n      if (count > 1) await attempt(count)\n      return done',
  ]),
  harmful('a retry less', 'one try', at(nth('POST /refunds', 2), 'missing-call'), [CONFIG, 'TRIES = 3', 'TRIES = 1']),
  harmful('polling', 'one look more', after(last('GET /refunds'), 'unexpected-call'), [
    AGENT,
    "state !== 'settled'",
    "(state !== 'settled' || look === 0)",
  ]),
  harmful('body', 'another amount', at(FIRST_TRY, 'input', 'body'), [
    AGENT,
    '{ order, amount, account',
    '{ order, amount: amount + 1, account',
  ]),
  harmful('body', 'a field dropped', at(FIRST_TRY, 'input', 'body'), [AGENT, 'amount, account: ACCOUNT,', 'amount,']),
  harmful('two calls swapped', 'audit before ledger', at(BOOKED, 'order'), [
    AGENT,
    `await ${LEDGER}\n  ${AUDIT}`,
    `${AUDIT}\n  await ${LEDGER}`,
  ]),
  harmful('sequential made parallel', 'ledger and audit', at(AUDITED, 'order'), [
    AGENT,
    `await ${LEDGER}\n  ${AUDIT}`,
    `await Promise.all([${LEDGER}, ${AUDIT.replace('await ', '')}])`,
  ]),
  harmful('sequential made parallel', 'customer and order', at(ORDERED, 'order'), [
    AGENT,
    "const customer = await lookUp(order)\n  const bought = await bank('GET', `/orders/${order}?request=${request}`)",
    "const [customer, bought] = await Promise.all([lookUp(order), bank('GET', `/orders/${order}?request=${request}`)])",
  ]),
  harmful('tool argument, value', 'an argument more', at(nth('look_up'), 'input', 'args'), [
    AGENT,
    'lookUp(order)',
    "lookUp(order, 'full')",
  ]),
  harmful('method', 'PUT in place of POST', at(BOOKED, 'input', 'method'), [
    'bank.ts',
    '      method,\n',
    "      method: path === '/ledger' ? 'PUT' : method,\n",
  ]),
  harmful('url', 'another order', at(ORDERED, 'input', 'url'), [AGENT, '`/orders/${order}?', '`/orders/${order}0?']),
  harmful('final answer', 'the state', after(last(), 'outcome'), [AGENT, RETURN, RETURN.replace('state,', "state: 'done',")]),
  harmful('error swallowed', 'the agent throws at its end', after(last(), 'outcome'), [
    AGENT,
    RETURN,
    `if (state === 'settled') throw new Error('It is over.')\n  ${RETURN}`,
  ]),
  harmful(
    'parsing drops a field',
    'the reason',
    at(
      the('model', ({ messages }: Fields) => messages.length > 0),
      'input',
      'messages',
    ),
    ['decide.ts', '`${JSON.stringify(order)}\\n${reason}`', 'JSON.stringify(order)'],
  ),
  undecided('a redacted value', 'another recipient', 'a redacted value', [CONFIG, 'refunds@shop.com', 'thief@elsewhere.org']),
  undecided('a redacted value', 'another account', 'a redacted value', [CONFIG, 'DE89370400440532013000', 'GB82WEST12345698765432']),
  undecided('a read moved over a call', 'settled when it was asked', 'a read moved over a call', [
    AGENT,
    'const settled = Date.now()',
    'const settled = asked',
  ]),
  undecided('inside a stubbed tool', 'a limit', 'inside a stubbed tool', [
    AGENT,
    "context.call('look_up', ...args)",
    "Promise.race([context.call('look_up', ...args), new Promise((resolve) => setTimeout(resolve, 1))])",
  ]),
  undecided(
    'process state',
    'orders are remembered from run to run',
    'process state',
    [
      AGENT,
      "const bought = await bank('GET', `/orders/${order}?request=${request}`)",
      "const bought = remembered.get(order) ?? (await bank('GET', `/orders/${order}?request=${request}`))\n  remembered.set(order, bought)",
    ],
    [AGENT, '/** Refunds an order', 'const remembered = new Map<string, Record<string, unknown>>()\n\n/** Refunds an order'],
  ),
]
