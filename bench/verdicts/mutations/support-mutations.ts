import { mutate, type Mutation } from './mutation.ts'

const OPENAI = 'agent-openai.ts'
const ANTHROPIC = 'agent-anthropic.ts'

/** Changes of the support agent that mean something, in the runs where they come to bear. */
export const SUPPORT_CHANGES: readonly Mutation[] = [
  mutate('system prompt, one word', 'refunded becomes paid back', ['prompt.ts', 'An order is refunded once', 'An order is paid back once']),
  mutate('system prompt, one word', 'friendly', ['prompt.ts', 'friendly sentences', 'kind sentences']),
  mutate('tool description', 'of the refund', [
    'tool-definitions.ts',
    'Refund an order to the card that paid for it.',
    'Send the money of an order back.',
  ]),
  mutate('tool description', 'of a field', ['tool-definitions.ts', 'How much to refund, in cents.', 'The amount, in cents.']),
  mutate('tool schema, field added', 'reason', [
    'tool-definitions.ts',
    'properties: { order_id: ORDER_ID, amount:',
    "properties: { order_id: ORDER_ID, reason: { type: 'string' }, amount:",
  ]),
  mutate('tool schema, field optional', 'amount', ['tool-definitions.ts', "required: ['order_id', 'amount']", "required: ['order_id']"]),
  mutate(
    'tool schema, field renamed',
    'amount becomes cents',
    ['tool-definitions.ts', 'ORDER_ID, amount: {', 'ORDER_ID, cents: {'],
    ['tool-definitions.ts', "['order_id', 'amount']", "['order_id', 'cents']"],
  ),
  mutate('tool argument, value', 'another amount', [
    'run-tool.ts',
    'refundOrder(args))',
    'refundOrder({ ...args, amount: args.amount - 100 }))',
  ]),
  mutate('tool argument, value', 'another order', [
    'run-tool.ts',
    'await cancelOrder({ order_id: args.order_id })',
    "await cancelOrder({ order_id: args.order_id.replace('ord_1002', 'ord_1003') })",
  ]),
  mutate('argument dropped', 'amount', [
    'run-tool.ts',
    'refundOrder(args))',
    'refundOrder({ order_id: args.order_id } as RefundArguments))',
  ]),
  mutate('call repeated', 'every tool call', [
    'loop.ts',
    'results.push({ id: call.id, content: await runToolCall(call) })',
    'results.push({ id: call.id, content: (await runToolCall(call), await runToolCall(call)) })',
  ]),
  mutate('call skipped', 'cancelling', [
    'run-tool.ts',
    'await cancelOrder({ order_id: args.order_id })',
    "{ id: args.order_id, status: 'cancelled' }",
  ]),
  mutate('call skipped', 'looking the order up', [
    'run-tool.ts',
    'await getOrder({ order_id: args.order_id })',
    "{ id: args.order_id, status: 'packed' }",
  ]),
  mutate('another tool', 'a look at the refund in the place of the order', ['run-tool.ts', 'await getOrder({', 'await findRefund({']),
  mutate('model id', 'another', [OPENAI, "'gpt-4.1-mini'", "'gpt-4.1'"], [ANTHROPIC, "'claude-sonnet-5'", "'claude-haiku-5'"]),
  mutate('temperature', 'a little', [OPENAI, 'temperature: 0', 'temperature: 0.3'], [ANTHROPIC, 'temperature: 0', 'temperature: 0.3']),
  mutate(
    'max tokens',
    'twice as many',
    [OPENAI, 'temperature: 0,', 'temperature: 0,\n        max_tokens: 2048,'],
    [ANTHROPIC, 'max_tokens: 1024', 'max_tokens: 2048'],
  ),
  mutate('parsing drops a field', 'what went wrong', [
    'run-tool.ts',
    'return `Error: ${error instanceof Error ? error.message : String(error)}`',
    "return ''",
  ]),
  mutate(
    'parsing drops a field',
    'the text beside tool calls',
    [OPENAI, "content: text === '' ? null : text,", 'content: null,'],
    [
      ANTHROPIC,
      'content: message.content })',
      "content: message.content.filter(({ type }) => type === 'tool_use' || message.stop_reason !== 'tool_use') })",
    ],
  ),
  mutate(
    'a retry more',
    'of the refund',
    ['run-tool.ts', 'withRetry(2,', 'withRetry(3,'],
    [
      'with-retry.ts',
      'return await attempt()',
      'const done = await attempt()\n      if (count === 2 && times === 3) await attempt()\n      return done',
    ],
  ),
  mutate('a retry less', 'of the refund', ['run-tool.ts', 'withRetry(2,', 'withRetry(1,']),
  mutate('final answer', 'with a signature', ['loop.ts', 'return { reply: text }', 'return { reply: `${text}\\n\\nLumen` }']),
  mutate('final answer', 'its first sentence', ['loop.ts', 'return { reply: text }', "return { reply: text.split('. ')[0] ?? '' }"]),
]

/** Changes of the support agent that nobody outside of it can tell. */
export const SUPPORT_REFACTORINGS: readonly Mutation[] = [
  mutate(
    'renamed variables',
    'in the loop',
    ['loop.ts', 'const results: ToolResult[] = []', 'const told: ToolResult[] = []'],
    ['loop.ts', 'results.push(', 'told.push('],
    ['loop.ts', 'conversation.answer(results)', 'conversation.answer(told)'],
  ),
  mutate(
    'reordered object keys',
    'of the request',
    [
      OPENAI,
      "model: 'gpt-4.1-mini',\n        temperature: 0,\n        messages,",
      "messages,\n        temperature: 0,\n        model: 'gpt-4.1-mini',",
    ],
    [ANTHROPIC, "{ model: 'claude-sonnet-5', max_tokens: 1024,", "{ max_tokens: 1024, model: 'claude-sonnet-5',"],
  ),
  mutate('reordered object keys', 'of the tools', [
    'tool-definitions.ts',
    "name: 'get_order',\n    description: 'Look up an order: what was bought, what was charged, and where it is.',",
    "description: 'Look up an order: what was bought, what was charged, and where it is.',\n    name: 'get_order',",
  ]),
  mutate('whitespace', 'blank lines and comments', ['loop.ts', 'for (let turn = 0;', '\n\n  // Turn by turn.\n  for (let turn = 0;']),
  mutate(
    'extra logging',
    'to a file, awaited',
    ['loop.ts', 'conversation.answer(results)', 'conversation.answer(results)\n    await appendFile(devNull, text)'],
    [
      'loop.ts',
      'import { runToolCall',
      "import { appendFile } from 'node:fs/promises'\nimport { devNull } from 'node:os'\nimport { runToolCall",
    ],
  ),
  mutate('an extra clock read', 'of Date.now', ['run-tool.ts', 'switch (name) {', 'Date.now()\n  switch (name) {']),
  mutate('an awaited no-op', 'before every tool', ['run-tool.ts', 'switch (name) {', 'await undefined\n  switch (name) {']),
  mutate('an awaited no-op', 'of a turn of the event loop', [
    'run-tool.ts',
    'switch (name) {',
    'await new Promise((resolve) => setImmediate(resolve))\n  switch (name) {',
  ]),
  mutate(
    'other headers',
    'user agent',
    [OPENAI, 'new OpenAI({', "new OpenAI({\n  defaultHeaders: { 'user-agent': 'support/2' },"],
    [ANTHROPIC, 'new Anthropic({', "new Anthropic({\n  defaultHeaders: { 'user-agent': 'support/2' },"],
  ),
  mutate(
    'a client built elsewhere',
    'for every conversation',
    [
      OPENAI,
      'const messages: ChatCompletionMessageParam[] = [',
      "const client = new OpenAI({ apiKey: 'sk-local', baseURL: 'http://127.0.0.1:4010/v1' })\n  const messages: ChatCompletionMessageParam[] = [",
    ],
    [
      ANTHROPIC,
      'const messages: MessageParam[] = [',
      "const client = new Anthropic({ apiKey: 'sk-local', baseURL: 'http://127.0.0.1:4010' })\n  const messages: MessageParam[] = [",
    ],
  ),
  mutate('more turns allowed', 'twenty', ['loop.ts', 'MOST_TURNS = 8', 'MOST_TURNS = 20']),
]
