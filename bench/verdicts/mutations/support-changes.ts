import { after, at, harmful, type Mutation } from './mutation.ts'
import { type Fields, last, next, nth, type Place, the, where } from './places.ts'

const MODEL = nth('model')

/** The model's first tool call; or its first one with matching arguments. */
function asked(isSo: (args: Fields) => boolean = () => true): Place {
  return (calls) => {
    const first = calls.findIndex(({ name }) => name === 'customer')
    const index = calls.findIndex(({ name, input }, place) => place > first && !NOT_ASKED.has(name) && isSo(input))
    return index < 0 ? undefined : index
  }
}

/** Calls that the desk makes without being asked, once the customer is there. */
const NOT_ASKED: ReadonlySet<string> = new Set(['customer', 'model', 'file_transcript', 'close_ticket'])

function hasText(isSo: (text: string) => boolean): (args: Fields) => boolean {
  return (args) => Object.values(args).some((value) => typeof value === 'string' && isSo(value))
}

/** The first request that resends a matching message of the model. */
function told(isSo: (said: Fields) => unknown): Place {
  return the('model', ({ messages }) => messages.some((message: Fields) => message.role === 'assistant' && isSo(message)))
}

const PARALLEL = `await Promise.all([
    lookups.listNotices({ domain, kind: 'public' }),
    lookups.getLimits({ domain, most: 5 }),
    lookups.countAgents({ domain }),
  ])`

/** Changes of the desk that do harm, in the runs that they affect. */
export const SUPPORT_CHANGES: readonly Mutation[] = [
  harmful('system prompt, one word', 'brief becomes short', at(MODEL, 'input', 'system-prompt'), ['prompt.ts', 'Be brief', 'Be short']),
  harmful('system prompt, one word', 'never becomes do not', at(MODEL, 'input', 'system-prompt'), [
    'prompt.ts',
    'and never guess',
    'and do not guess',
  ]),
  harmful('system prompt, one word', 'notices become news', at(MODEL, 'input', 'system-prompt'), [
    'prompt.ts',
    'Notices of the day',
    'News of the day',
  ]),
  harmful('few-shot order', 'reversed', at(MODEL, 'input', 'messages'), [
    'prompt.ts',
    '...EXAMPLES.flatMap(',
    '...EXAMPLES.toReversed().flatMap(',
  ]),
  harmful('few-shot order', 'the first comes last', at(MODEL, 'input', 'messages'), [
    'prompt.ts',
    '...EXAMPLES.flatMap(',
    '...[...EXAMPLES.slice(1), ...EXAMPLES.slice(0, 1)].flatMap(',
  ]),
  harmful('tool description', 'of every tool', at(MODEL, 'input', 'tool-schema'), [
    'definitions.ts',
    'Use it once you know who asks.',
    'Use it whenever it helps.',
  ]),
  harmful('tool description', 'of the last tool', at(MODEL, 'input', 'tool-schema'), [
    'definitions.ts',
    'return TAU_TOOLS[domain].map(toDefinition)',
    "return TAU_TOOLS[domain].map(toDefinition).map((tool, index, all) => (index === all.length - 1 ? { ...tool, description: 'Hand over.' } : tool))",
  ]),
  harmful('tool description', 'of a field', at(MODEL, 'input', 'tool-schema'), [
    'definitions.ts',
    'A note for the files.',
    'A remark for the files.',
  ]),
  harmful('tool schema, field added', 'urgent', at(MODEL, 'input', 'tool-schema'), [
    'definitions.ts',
    'as object), note }',
    "as object), note, urgent: { type: 'boolean' } }",
  ]),
  harmful('tool schema, field optional', 'all of them', at(MODEL, 'input', 'tool-schema'), [
    'definitions.ts',
    'return { ...parameters, properties }',
    'return { ...parameters, properties, required: [] }',
  ]),
  harmful('tool schema, field renamed', 'note becomes remark', at(MODEL, 'input', 'tool-schema'), [
    'definitions.ts',
    'as object), note }',
    'as object), remark: note }',
  ]),
  harmful('tool argument, value', 'minutes', at(nth('reserve_slot'), 'input', 'args'), ['opening.ts', 'minutes: 30', 'minutes: 45']),
  harmful('tool argument, value', 'kind of notices', at(nth('list_notices'), 'input', 'args'), [
    'opening.ts',
    "kind: 'public'",
    "kind: 'staff'",
  ]),
  harmful('tool argument, value', 'day', at(nth('get_hours'), 'input', 'args'), ['opening.ts', "day: 'weekday'", "day: 'sunday'"]),
  harmful('tool argument, value', 'words counted otherwise', at(nth('file_transcript'), 'input', 'args'), [
    'desk.ts',
    'words: lastWords.length',
    "words: lastWords.split(' ').length",
  ]),
  harmful(
    'tool argument, value',
    'what the model asked for, in capitals',
    at(asked(hasText((text) => text !== text.toUpperCase())), 'input', 'args'),
    [
      'desk.ts',
      'const run = tools.get(name)',
      "for (const [key, value] of Object.entries(args)) if (typeof value === 'string') args[key] = value.toUpperCase()\n    const run = tools.get(name)",
    ],
  ),
  harmful('tool argument, value', 'what the model asked for, cut', at(asked(hasText((text) => text.length > 12)), 'input', 'args'), [
    'desk.ts',
    'const run = tools.get(name)',
    "for (const [key, value] of Object.entries(args)) if (typeof value === 'string') args[key] = value.slice(0, 12)\n    const run = tools.get(name)",
  ]),
  harmful('argument dropped', 'urgent', at(nth('reserve_slot'), 'input', 'args'), [
    'opening.ts',
    'minutes: 30, urgent: false',
    'minutes: 30',
  ]),
  harmful('argument dropped', 'most', at(nth('get_limits'), 'input', 'args'), ['opening.ts', '{ domain, most: 5 }', '{ domain }']),
  harmful(
    'argument dropped',
    'the last one that the model gave',
    at(
      asked((args) => Object.keys(args).length > 1),
      'input',
      'args',
    ),
    [
      'desk.ts',
      'const run = tools.get(name)',
      'if (Object.keys(args).length > 1) delete args[Object.keys(args).at(-1) ?? ""]\n    const run = tools.get(name)',
    ],
  ),
  harmful('two calls swapped', 'hours before shop', at(nth('get_shop'), 'order'), [
    'opening.ts',
    "const shop = await lookups.getShop({ domain })\n  const hours = await lookups.getHours({ domain, day: 'weekday' })",
    "const hours = await lookups.getHours({ domain, day: 'weekday' })\n  const shop = await lookups.getShop({ domain })",
  ]),
  harmful('two calls swapped', 'bell before slot', at(nth('reserve_slot'), 'order'), [
    'opening.ts',
    'const slot = await retry(SLOT_TRIES, () => lookups.reserveSlot({ domain, minutes: 30, urgent: false }))\n  await retry(BELL_TRIES, () => lookups.ringBell({ domain }))',
    'await retry(BELL_TRIES, () => lookups.ringBell({ domain }))\n  const slot = await retry(SLOT_TRIES, () => lookups.reserveSlot({ domain, minutes: 30, urgent: false }))',
  ]),
  harmful('two calls swapped', 'closed before filed', at(nth('file_transcript'), 'order'), [
    'desk.ts',
    'await lookups.fileTranscript({ ticket, words: lastWords.length, ended })\n  const receipt = await lookups.closeTicket({ ticket, turns })',
    'const receipt = await lookups.closeTicket({ ticket, turns })\n  await lookups.fileTranscript({ ticket, words: lastWords.length, ended })',
  ]),
  harmful('call repeated', 'hours', after(nth('get_hours'), 'unexpected-call'), [
    'opening.ts',
    'const hours = await lookups.getHours(',
    "await lookups.getHours({ domain, day: 'weekday' })\n  const hours = await lookups.getHours(",
  ]),
  harmful('call repeated', 'the transcript is filed twice', after(nth('file_transcript'), 'unexpected-call'), [
    'desk.ts',
    'await lookups.fileTranscript({ ticket, words: lastWords.length, ended })',
    'await lookups.fileTranscript({ ticket, words: lastWords.length, ended })\n  await lookups.fileTranscript({ ticket, words: lastWords.length, ended })',
  ]),
  harmful('call repeated', 'the model is asked twice', after(MODEL, 'unexpected-call'), [
    'desk.ts',
    'const said = await ask(messages)',
    'if (turns === 0) await ask(messages)\n    const said = await ask(messages)',
  ]),
  harmful('call repeated', 'each tool of the model runs twice', after(asked(), 'unexpected-call'), [
    'desk.ts',
    'content: await run(args) })',
    'content: (await run(args), await run(args)) })',
  ]),
  harmful('call skipped', 'hours', at(nth('get_hours'), 'missing-call'), [
    'opening.ts',
    "await lookups.getHours({ domain, day: 'weekday' })",
    "''",
  ]),
  harmful('call skipped', 'limits, of three at once', at(nth('get_limits'), 'missing-call'), [
    'opening.ts',
    'lookups.getLimits({ domain, most: 5 })',
    "''",
  ]),
  harmful('call skipped', 'bell', at(nth('ring_bell'), 'missing-call'), [
    'opening.ts',
    'await retry(BELL_TRIES, () => lookups.ringBell({ domain }))',
    '',
  ]),
  harmful('call skipped', 'transcript', at(nth('file_transcript'), 'missing-call'), [
    'desk.ts',
    'await lookups.fileTranscript({ ticket, words: lastWords.length, ended })',
    '',
  ]),
  harmful('call skipped', 'closing the ticket', at(nth('close_ticket'), 'missing-call'), [
    'desk.ts',
    'await lookups.closeTicket({ ticket, turns })',
    "'close_ticket of the ticket'",
  ]),
  harmful('another tool', 'limits in the place of hours', after(nth('get_shop'), 'unexpected-call'), [
    'opening.ts',
    'lookups.getHours(',
    'lookups.getLimits(',
  ]),
  harmful('another tool', 'the bell in the place of the slot', after(nth('count_agents'), 'unexpected-call'), [
    'opening.ts',
    'lookups.reserveSlot(',
    'lookups.ringBell(',
  ]),
  harmful('another tool', 'filed in the place of closed', after(nth('file_transcript'), 'unexpected-call'), [
    'desk.ts',
    'lookups.closeTicket(',
    'lookups.fileTranscript(',
  ]),
  harmful('model id', 'a smaller one', at(MODEL, 'model-drift', 'model'), ['config.ts', "'gpt-4o'", "'gpt-4o-mini'"]),
  harmful('model id', 'a dated one', at(MODEL, 'model-drift', 'model'), ['config.ts', "'gpt-4o'", "'gpt-4o-2024-11-20'"]),
  harmful('temperature', 'a little', at(MODEL, 'input', 'sampling'), ['config.ts', 'TEMPERATURE = 0', 'TEMPERATURE = 0.1']),
  harmful('temperature', 'left to the provider', at(MODEL, 'input', 'sampling'), ['model.ts', 'temperature: TEMPERATURE, ', '']),
  harmful('max tokens', 'one more', at(MODEL, 'input', 'sampling'), ['config.ts', '= 800', '= 801']),
  harmful('max tokens', 'half', at(MODEL, 'input', 'sampling'), ['config.ts', '= 800', '= 400']),
  harmful(
    'parsing drops a field',
    'the text beside tool calls',
    at(
      told((said) => said.tool_calls && said.content !== null),
      'input',
      'messages',
    ),
    ['model.ts', 'content: message.content, ...', 'content: toolCalls.length > 0 ? null : message.content, ...'],
  ),
  harmful(
    'parsing drops a field',
    'the arguments',
    at(
      asked((args) => Object.keys(args).length > 0),
      'input',
      'args',
    ),
    [
      'model.ts',
      'arguments: printed } }) => ({',
      'arguments: _printed }, printed = "{}" }: { id: string; function: { name: string; arguments: string }; printed?: string }) => ({',
    ],
  ),
  harmful(
    'parsing drops a field',
    'the ids of tool calls',
    at(
      told((said) => said.tool_calls),
      'input',
      'messages',
    ),
    ['model.ts', '    id,\n    type:', "    id: '',\n    type:"],
  ),
  harmful(
    'parsing drops a field',
    'the end of a long text',
    at(
      the('customer', (text) => text?.length > 200),
      'input',
      'args',
    ),
    [
      'model.ts',
      'content: message.content, ...',
      'content: toolCalls.length > 0 ? message.content : (message.content?.slice(0, 200) ?? null), ...',
    ],
  ),
  harmful('a retry more', 'of the bell', after(nth('ring_bell', 2), 'unexpected-call'), ['config.ts', 'BELL_TRIES = 2', 'BELL_TRIES = 3']),
  harmful('a retry more', 'of what has worked', after(nth('reserve_slot', 2), 'unexpected-call'), [
    'retry.ts',
    'return await attempt()',
    'const done = await attempt()\n      if (count > 1) await attempt()\n      return done',
  ]),
  harmful('a retry less', 'of the bell', at(nth('ring_bell', 2), 'missing-call'), ['config.ts', 'BELL_TRIES = 2', 'BELL_TRIES = 1']),
  harmful('a retry less', 'of the slot', at(nth('reserve_slot', 2), 'missing-call'), ['config.ts', 'SLOT_TRIES = 3', 'SLOT_TRIES = 1']),
  harmful('checkpoint value', 'slot', after(nth('ring_bell', 2), 'checkpoint'), [
    'desk.ts',
    'hasSlot: opening.slot !== null',
    'hasSlot: opening.slot === null',
  ]),
  harmful('checkpoint value', 'colleagues', after(nth('ring_bell', 2), 'checkpoint'), [
    'desk.ts',
    'colleagues: opening.colleagues',
    'colleagues: opening.colleagues.length',
  ]),
  harmful('checkpoint value', 'turns', after(next(nth('file_transcript'), -1), 'checkpoint'), [
    'desk.ts',
    "reach('talk-over', { ended, turns })",
    "reach('talk-over', { ended, turns: turns + 1 })",
  ]),
  harmful('final answer', 'turns', after(last(), 'outcome'), [
    'desk.ts',
    'return { ended, turns, lastWords',
    'return { ended, turns: turns - 1, lastWords',
  ]),
  harmful(
    'final answer',
    'last words',
    after(
      where(
        the('file_transcript', ({ words }) => words > 0),
        last(),
      ),
      'outcome',
    ),
    ['desk.ts', 'return { ended, turns, lastWords', 'return { ended, turns, lastWords: lastWords.trimEnd().slice(0, -1)'],
  ),
  harmful('final answer', 'no receipt', after(last(), 'outcome'), ['desk.ts', 'lastWords, receipt }\n}', 'lastWords }\n}']),
  harmful('parallel made sequential', 'three lookups', at(nth('get_limits'), 'order'), [
    'opening.ts',
    PARALLEL,
    "[\n    await lookups.listNotices({ domain, kind: 'public' }),\n    await lookups.getLimits({ domain, most: 5 }),\n    await lookups.countAgents({ domain }),\n  ]",
  ]),
  harmful('parallel made sequential', 'the last of three', at(nth('count_agents'), 'order'), [
    'opening.ts',
    PARALLEL,
    "[\n    ...(await Promise.all([lookups.listNotices({ domain, kind: 'public' }), lookups.getLimits({ domain, most: 5 })])),\n    await lookups.countAgents({ domain }),\n  ]",
  ]),
  harmful('sequential made parallel', 'shop and hours', at(nth('get_hours'), 'order'), [
    'opening.ts',
    "const shop = await lookups.getShop({ domain })\n  const hours = await lookups.getHours({ domain, day: 'weekday' })",
    "const [shop, hours] = await Promise.all([lookups.getShop({ domain }), lookups.getHours({ domain, day: 'weekday' })])",
  ]),
  harmful('sequential made parallel', 'filing and closing', at(nth('close_ticket'), 'order'), [
    'desk.ts',
    'await lookups.fileTranscript({ ticket, words: lastWords.length, ended })\n  const receipt = await lookups.closeTicket({ ticket, turns })',
    'const [, receipt] = await Promise.all([\n    lookups.fileTranscript({ ticket, words: lastWords.length, ended }),\n    lookups.closeTicket({ ticket, turns }),\n  ])',
  ]),
]
