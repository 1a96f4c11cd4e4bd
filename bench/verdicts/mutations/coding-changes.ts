import { after, at, harmful, type Mutation, undecided } from './mutation.ts'
import { type Fields, last, next, nth, type Place, the } from './places.ts'

const AGENT = 'agent.ts'
const CONFIG = 'config.ts'
const WORKSPACE = 'workspace.ts'

const MODEL = nth('model')
const COMMIT = nth('commit')
const TASK = nth('get_task')
const TURN_OVER = "    reach('turn-over', { turns, changes: workspace.changes.length })\n"
const WRITE = 'await write({ ...args, change, session })'
const RETURN = 'return { summary, turns, commit, changed: new Set(workspace.changes) }'
const LOOP = `    for (const call of calls) {
      const result = await workspace.run(call.function.name, JSON.parse(call.function.arguments) as Record<string, string>)
      messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(result).slice(0, LONGEST) })
    }`

/** The first request with more messages than that. */
const longer = (than: number): Place => the('model', ({ messages }: Fields) => messages.length > than)

/** The first request with a matching message. */
const tells = (isSo: (message: Fields) => unknown): Place => the('model', ({ messages }: Fields) => messages.some(isSo))

const tellsOfResult = tells(({ role, content }) => role === 'tool' && content.length > 100)

/** Changes of the coding agent that do harm, and those that no recording can judge. */
export const CODING_CHANGES: readonly Mutation[] = [
  harmful('history truncation', 'the latest twenty', at(longer(20), 'input', 'messages'), [CONFIG, 'HISTORY = 80', 'HISTORY = 20']),
  harmful('history truncation', 'the latest eight', at(longer(8), 'input', 'messages'), [CONFIG, 'HISTORY = 80', 'HISTORY = 8']),
  harmful(
    'history truncation',
    'the system prompt is cut off',
    at(longer(12), 'input', 'messages', 'system-prompt'),
    ['history.ts', 'messages.length <= HISTORY', 'messages.length <= 12'],
    ['history.ts', '[...messages.slice(0, 2), ...messages.slice(2 - HISTORY)]', 'messages.slice(-12)'],
  ),
  harmful('history truncation', 'results are cut', at(tellsOfResult, 'input', 'messages'), [CONFIG, 'LONGEST = 4000', 'LONGEST = 100']),
  harmful('memoisation removed', 'files are read again', after(next(nth('model', 5), 0), 'unexpected-call'), [
    WORKSPACE,
    'known.get(path) ?? (await read({ path }))',
    'await read({ path })',
  ]),
  harmful('memoisation removed', 'what was written is not known', after(nth('model', 5), 'unexpected-call'), [
    WORKSPACE,
    "          known.set(args['path'] ?? '', args['text'] ?? '')\n",
    "          known.delete(args['path'] ?? '')\n",
  ]),
  harmful(
    'memoisation added',
    'tests run once',
    at(nth('run_tests', 2), 'missing-call'),
    [
      WORKSPACE,
      'const { passed, coverage } = await test({ ...args, session, at: new Date().toISOString() })',
      'const { passed, coverage } = (tested ??= await test({ ...args, session, at: new Date().toISOString() }))',
    ],
    [WORKSPACE, '  const changes: string[] = []', '  const changes: string[] = []\n  let tested: Tested | undefined'],
  ),
  harmful(
    'memoisation added',
    'what was written is not read',
    at(
      tells(({ content }) => String(content).includes('// file')),
      'input',
      'messages',
    ),
    [
      WORKSPACE,
      'known.set(path, text)\n          return text',
      "known.set(path, text)\n          return text.replace('// file', '// memo')",
    ],
  ),
  harmful('feature flag', 'lint is on', after(last('model'), 'unexpected-call'), [CONFIG, 'lint: false', 'lint: true']),
  harmful('feature flag', 'commit is off', at(COMMIT, 'missing-call'), [CONFIG, 'commit: true', 'commit: false']),
  harmful(
    'provider switch',
    'to Anthropic',
    after(TASK, 'unexpected-call'),
    ['ask.ts', "import OpenAI from 'openai'", "import Anthropic from '@anthropic-ai/sdk'"],
    [
      'ask.ts',
      "const client = new OpenAI({ apiKey: 'sk-local', baseURL: `${base}/v1` })",
      "const client = new Anthropic({ apiKey: 'sk-local', baseURL: base })",
    ],
    [
      'ask.ts',
      `    const request = { model: MODEL, temperature: 0, max_tokens: 2000, messages: [...messages], tools: TOOLS }
    const answer = await client.chat.completions.create(request)
    const message = answer.choices[0]?.message
    return { text: message?.content ?? null, calls: (message?.tool_calls ?? []).filter((call) => call.type === 'function') }`,
      `    void TOOLS
    const answer = await client.messages.create({ model: MODEL, max_tokens: 2000, messages: [{ role: 'user', content: JSON.stringify(messages) }] })
    const [part] = answer.content
    return { text: part?.type === 'text' ? part.text : null, calls: [] }`,
    ],
  ),
  harmful('provider switch', 'to responses', after(TASK, 'unexpected-call'), [
    'ask.ts',
    `    const request = { model: MODEL, temperature: 0, max_tokens: 2000, messages: [...messages], tools: TOOLS }
    const answer = await client.chat.completions.create(request)
    const message = answer.choices[0]?.message
    return { text: message?.content ?? null, calls: (message?.tool_calls ?? []).filter((call) => call.type === 'function') }`,
    `    void TOOLS
    const answer = await client.responses.create({ model: MODEL, input: JSON.stringify(messages) })
    return { text: answer.output_text, calls: [] }`,
  ]),
  harmful('model id', 'a smaller one', at(MODEL, 'model-drift', 'model'), [CONFIG, "'gpt-4o'", "'gpt-4o-mini'"]),
  harmful('temperature', 'higher', at(MODEL, 'input', 'sampling'), ['ask.ts', 'temperature: 0', 'temperature: 0.7']),
  harmful('max tokens', 'fewer', at(MODEL, 'input', 'sampling'), ['ask.ts', 'max_tokens: 2000', 'max_tokens: 1000']),
  harmful('system prompt, one word', 'small becomes tiny', at(MODEL, 'input', 'system-prompt'), [
    'prompt.ts',
    'keep changes small',
    'keep changes tiny',
  ]),
  harmful('tool description', 'of the tests', at(MODEL, 'input', 'tool-schema'), ['prompt.ts', 'Run the tests.', 'Run all tests.']),
  harmful('tool schema, field renamed', 'path becomes file', at(MODEL, 'input', 'tool-schema'), [
    'prompt.ts',
    "{ path: { type: 'string' } }, ['path']",
    "{ file: { type: 'string' } }, ['file']",
  ]),
  harmful('tool schema, field optional', 'text', at(MODEL, 'input', 'tool-schema'), ['prompt.ts', "['path', 'text']", "['path']"]),
  harmful('tool schema, field added', 'mode', at(MODEL, 'input', 'tool-schema'), [
    'prompt.ts',
    "text: { type: 'string' } }",
    "text: { type: 'string' }, mode: { type: 'string' } }",
  ]),
  harmful('tool list reordered', 'tests first', at(MODEL, 'input', 'tool-schema'), ['ask.ts', 'tools: TOOLS', 'tools: TOOLS.toReversed()']),
  harmful('keys and ids', 'a session for each call', at(nth('run_tests'), 'input', 'args'), [
    WORKSPACE,
    'test({ ...args, session,',
    'test({ ...args, session: crypto.randomUUID(),',
  ]),
  harmful('keys and ids', 'one change for all', at(nth('write_file', 2), 'input', 'args'), [
    WORKSPACE,
    'const change = crypto.randomUUID()',
    'const change = changes[0] ?? crypto.randomUUID()',
  ]),
  harmful('keys and ids', 'change and session swapped', at(nth('write_file'), 'input', 'args'), [
    WORKSPACE,
    WRITE,
    'await write({ ...args, change: session, session: change })',
  ]),
  harmful('keys and ids', 'changes in another order', at(COMMIT, 'input', 'args'), [
    AGENT,
    'changes: [...workspace.changes]',
    'changes: workspace.changes.toReversed()',
  ]),
  harmful(
    'keys and ids',
    'changes in another order, beside one more id',
    at(COMMIT, 'input', 'args'),
    [AGENT, 'changes: [...workspace.changes]', 'changes: workspace.changes.toReversed()'],
    [AGENT, 'const session = crypto.randomUUID()', 'crypto.randomUUID()\n  const session = crypto.randomUUID()'],
  ),
  harmful('keys and ids', 'one change twice', at(COMMIT, 'input', 'args'), [
    AGENT,
    'changes: [...workspace.changes]',
    'changes: workspace.changes.map(() => workspace.changes[0])',
  ]),
  harmful('units', 'the commit in milliseconds', at(COMMIT, 'input', 'args'), [
    AGENT,
    'at: Math.floor(Date.now() / 1000)',
    'at: Date.now()',
  ]),
  harmful('date forms', 'of the tests', at(nth('run_tests'), 'input', 'args'), [
    WORKSPACE,
    'at: new Date().toISOString()',
    'at: new Date().toString()',
  ]),
  harmful('date forms', 'a number in place of a text', at(nth('run_tests'), 'input', 'args'), [
    WORKSPACE,
    'at: new Date().toISOString()',
    'at: Date.now()',
  ]),
  harmful('Map, Set, BigInt, undefined', 'a Set becomes a list', after(last(), 'outcome'), [
    AGENT,
    RETURN,
    RETURN.replace('new Set(workspace.changes)', '[...workspace.changes]'),
  ]),
  harmful(
    'Map, Set, BigInt, undefined',
    'a Map is printed as an object',
    at(
      the('model', ({ messages }: Fields) => messages.at(-1).content.includes('coverage')),
      'input',
      'messages',
    ),
    [WORKSPACE, 'coverage: [...coverage] }', 'coverage: Object.fromEntries(coverage) }'],
  ),
  harmful(
    'Map, Set, BigInt, undefined',
    'an entry of a Map is dropped',
    at(
      the('model', ({ messages }: Fields) => messages.at(-1).content.includes('coverage')),
      'input',
      'messages',
    ),
    [WORKSPACE, 'coverage: [...coverage] }', 'coverage: [...coverage].slice(1) }'],
  ),
  harmful(
    'checkpoint moved',
    'before the tools',
    after(MODEL, 'checkpoint'),
    [AGENT, TURN_OVER, ''],
    [
      AGENT,
      '    for (const call of calls) {',
      `${TURN_OVER.replace('workspace.changes.length', "workspace.changes.length + calls.filter((call) => call.function.name === 'write_file').length")}    for (const call of calls) {`,
    ],
  ),
  harmful(
    'checkpoint moved',
    'behind the next answer',
    after(nth('list_files'), 'checkpoint'),
    [AGENT, TURN_OVER, ''],
    [AGENT, '    turns += 1\n', "    if (turns > 0) reach('turn-over', { turns, changes: workspace.changes.length })\n    turns += 1\n"],
  ),
  harmful('checkpoint dropped', 'of a turn', after(nth('list_files'), 'checkpoint'), [AGENT, TURN_OVER, '']),
  harmful('checkpoint value', 'turns', after(nth('list_files'), 'checkpoint'), [
    AGENT,
    "reach('turn-over', { turns,",
    "reach('turn-over', { turns: turns + 1,",
  ]),
  harmful('call not awaited', 'writing', after(next(nth('write_file'), -1), 'checkpoint'), [
    WORKSPACE,
    WRITE,
    WRITE.replace('await', 'void'),
  ]),
  harmful('call not awaited', 'an extra lint', after(last('model'), 'unexpected-call'), [
    AGENT,
    '  if (FLAGS.lint)',
    '  void workspace.lint()\n  if (FLAGS.lint)',
  ]),
  harmful('sequential made parallel', 'tools of a turn', at(nth('read_file', 2), 'order'), [
    AGENT,
    LOOP,
    `    const results = await Promise.all(calls.map((call) => workspace.run(call.function.name, JSON.parse(call.function.arguments) as Record<string, string>)))
    for (const [index, call] of calls.entries()) messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(results[index]).slice(0, LONGEST) })`,
  ]),
  harmful('two calls swapped', 'tools of a turn', at(nth('read_file'), 'order'), [
    AGENT,
    'for (const call of calls) {',
    'for (const call of calls.toReversed()) {',
  ]),
  harmful('call skipped', 'all calls but the first', at(nth('read_file', 2), 'missing-call'), [
    AGENT,
    'for (const call of calls) {',
    'for (const call of calls.slice(0, 1)) {',
  ]),
  harmful('call repeated', 'each tool runs twice', after(nth('list_files'), 'unexpected-call'), [
    WORKSPACE,
    'return [...(await list(args))]',
    'await list(args)\n          return [...(await list(args))]',
  ]),
  harmful('tool argument, value', 'what is written is trimmed', at(nth('write_file'), 'input', 'args'), [
    WORKSPACE,
    WRITE,
    "await write({ ...args, text: args['text']?.slice(7), change, session })",
  ]),
  harmful(
    'argument dropped',
    'only',
    at(
      the('run_tests', ({ only }: Fields) => only !== undefined),
      'input',
      'args',
    ),
    [WORKSPACE, 'test({ ...args, session', 'test({ session'],
  ),
  harmful(
    'another tool',
    'tests are listed',
    after(nth('model', 4), 'unexpected-call'),
    [WORKSPACE, 'await test({ ...args', '(await list({ ...args })) && (await test({ ...args'],
    [WORKSPACE, 'at: new Date().toISOString() })', 'at: new Date().toISOString() }))'],
  ),
  harmful('fewer turns allowed', 'six', at(nth('model', 7), 'missing-call'), [CONFIG, 'MAX_TURNS = 30', 'MAX_TURNS = 6']),
  harmful('final answer', 'turns', after(last(), 'outcome'), [AGENT, RETURN, RETURN.replace('turns,', 'turns: turns - 1,')]),
  harmful('final answer', 'a field more', after(last(), 'outcome'), [AGENT, RETURN, RETURN.replace('turns,', 'turns, task,')]),
  harmful('late call', 'a commit once more', after(last(), 'unexpected-call'), [
    AGENT,
    RETURN,
    `setTimeout(() => void workspace.commit({ summary, again: true }), 12)\n  ${RETURN}`,
  ]),
  harmful('late call', 'the commit is left for later', at(COMMIT, 'missing-call'), [
    AGENT,
    'FLAGS.commit ? await workspace.commit(done) : undefined',
    'undefined\n  setTimeout(() => void workspace.commit(done), 10)',
  ]),
  harmful('time limit', 'of the model', at(MODEL, 'time-limit'), [
    'ask.ts',
    'baseURL: `${base}/v1` })',
    'baseURL: `${base}/v1`, timeout: 1, maxRetries: 0 })',
  ]),
  harmful(
    'parsing drops a field',
    'the text beside tool calls',
    at(
      tells(({ role, content }) => role === 'assistant' && content !== null),
      'input',
      'messages',
    ),
    [AGENT, "{ role: 'assistant', content: text, tool_calls", "{ role: 'assistant', content: null, tool_calls"],
  ),
  harmful('tenant', 'organisation and project of the model', at(MODEL, 'input', 'headers'), [
    'ask.ts',
    "apiKey: 'sk-local',",
    "apiKey: 'sk-local', organization: 'org-1', project: 'proj-1',",
  ]),
  undecided('inside a stubbed tool', 'what is written', 'inside a stubbed tool', [
    WORKSPACE,
    "context.call('write_file', args)",
    "context.call('write_file', { ...args, text: '' })",
  ]),
]
