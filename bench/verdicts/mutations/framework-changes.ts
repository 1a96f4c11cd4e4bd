import { after, at, harmful, type Mutation, undecided } from './mutation.ts'
import { type Fields, last, next, nth, the } from './places.ts'

const AGENT = 'agent.ts'
const CONFIG = 'config.ts'
const TOOLS = 'tools.ts'

const MODEL = nth('model')
const TRAINS = nth('find_trains')
const ROOMS = nth('find_rooms')
const BOOK = nth('book')
const SEND = nth('send_letter')
const LETTER = the('model', ({ messages }: Fields) => messages[0].content === 'You write letters.')
const RETURN = 'return { text, trip, steps: planned.steps.length }'
const SENDING = 'await send({ trip, town, text, day: new Date().toISOString().slice(0, 10) })'
const PLANNED = "reach('planned', { steps: planned.steps.length, text: planned.text })"
const SENT = "reach('sent', { words: text.split(' ').length })"

/** Changes of the agent on a framework that do harm, and those that no recording can judge. */
export const FRAMEWORK_CHANGES: readonly Mutation[] = [
  harmful('system prompt, one word', 'of the trip', at(MODEL, 'input', 'system-prompt'), [CONFIG, 'book once', 'book twice']),
  harmful('system prompt, one word', 'of the letter', at(LETTER, 'input', 'system-prompt'), [
    AGENT,
    'You write letters.',
    'You write a letter.',
  ]),
  harmful('prompt', 'nights become days', at(MODEL, 'input', 'messages'), [AGENT, '${nights} nights.', '${nights} days.']),
  harmful('model id', 'another', at(MODEL, 'model-drift', 'model'), [CONFIG, "'gpt-4.1-mini'", "'gpt-4.1'"]),
  harmful('model id', 'of the letter', at(LETTER, 'model-drift', 'model'), [
    AGENT,
    "model: provider.chat(MODEL),\n    system: 'You write",
    "model: provider.chat('gpt-4.1'),\n    system: 'You write",
  ]),
  harmful('temperature', 'of the trip', at(MODEL, 'input', 'sampling'), [
    AGENT,
    'temperature: 0,\n    maxRetries',
    'temperature: 0.5,\n    maxRetries',
  ]),
  harmful('temperature', 'of the letter', at(LETTER, 'input', 'sampling'), [
    AGENT,
    'prompt: planned.text,\n    temperature: 0,',
    'prompt: planned.text,\n    temperature: 1,',
  ]),
  harmful('max tokens', 'of the letter', at(LETTER, 'input', 'sampling'), [
    AGENT,
    'prompt: planned.text,',
    'prompt: planned.text,\n    maxOutputTokens: 300,',
  ]),
  harmful('tool description', 'of trains', at(MODEL, 'input', 'tool-schema'), [TOOLS, 'Find trains to a town.', 'Find a train to a town.']),
  harmful('tool schema, field added', 'class', at(MODEL, 'input', 'tool-schema'), [
    TOOLS,
    'z.object({ to: z.string() })',
    'z.object({ to: z.string(), first: z.boolean().default(false) })',
  ]),
  harmful('tool schema, field optional', 'nights', at(MODEL, 'input', 'tool-schema'), [
    TOOLS,
    'nights: z.number() }',
    'nights: z.number().optional() }',
  ]),
  harmful('tool list reordered', 'book first', at(MODEL, 'input', 'tool-schema'), [
    AGENT,
    'tools: createTools(context, trip)',
    'tools: Object.fromEntries(Object.entries(createTools(context, trip)).toReversed())',
  ]),
  harmful('tool argument, value', 'a night more', at(ROOMS, 'input', 'args'), [
    TOOLS,
    'findRooms({ town, nights, trip })',
    'findRooms({ town, nights: nights + 1, trip })',
  ]),
  harmful('argument dropped', 'nights', at(ROOMS, 'input', 'args'), [
    TOOLS,
    'findRooms({ town, nights, trip })',
    'findRooms({ town, trip })',
  ]),
  harmful('another tool', 'trains in the place of rooms', after(next(ROOMS, -1), 'unexpected-call'), [
    TOOLS,
    '=> findRooms({ town, nights, trip })',
    '=> findTrains({ town, nights, trip })',
  ]),
  harmful('call skipped', 'rooms', at(ROOMS, 'missing-call'), [
    TOOLS,
    '=> findRooms({ town, nights, trip })',
    '=> ({ rooms: [], town, nights })',
  ]),
  harmful('call skipped', 'the letter is not sent', at(SEND, 'missing-call'), [AGENT, SENDING, '']),
  harmful('call repeated', 'booked twice', after(BOOK, 'unexpected-call'), [
    TOOLS,
    '({ id }) => book({ id, trip, key: crypto.randomUUID(), at: Date.now() })',
    'async ({ id }) => {\n        const args = { id, trip, key: crypto.randomUUID(), at: Date.now() }\n        await book(args)\n        return book(args)\n      }',
  ]),
  harmful('call repeated', 'trains are looked for twice', after(TRAINS, 'unexpected-call'), [
    TOOLS,
    '({ to }) => findTrains({ to, trip })',
    'async ({ to }) => (await findTrains({ to, trip })) && (await findTrains({ to, trip }))',
  ]),
  harmful('fewer turns allowed', 'two', at(nth('model', 3), 'missing-call'), [CONFIG, 'MAX_STEPS = 8', 'MAX_STEPS = 2']),
  harmful('keys and ids', 'a trip for each tool', at(ROOMS, 'input', 'args'), [
    TOOLS,
    'findRooms({ town, nights, trip })',
    'findRooms({ town, nights, trip: crypto.randomUUID() })',
  ]),
  harmful('keys and ids', 'the trip is the key', at(BOOK, 'input', 'args'), [TOOLS, 'key: crypto.randomUUID()', 'key: trip']),
  harmful('keys and ids', 'a key that is no draw', at(BOOK, 'input', 'args'), [TOOLS, 'key: crypto.randomUUID()', 'key: `book-${id}`']),
  harmful(
    'keys and ids',
    'one key for all',
    at(nth('book', 2), 'input', 'args'),
    [TOOLS, 'key: crypto.randomUUID()', 'key: one'],
    [TOOLS, '  return {\n    find_trains', '  const one = crypto.randomUUID()\n  return {\n    find_trains'],
  ),
  harmful('keys and ids', 'another trip in the result', after(last(), 'outcome'), [
    AGENT,
    RETURN,
    RETURN.replace('trip,', 'trip: crypto.randomUUID(),'),
  ]),
  harmful('units', 'booked in seconds', at(BOOK, 'input', 'args'), [TOOLS, 'at: Date.now()', 'at: Math.floor(Date.now() / 1000)']),
  harmful('date forms', 'booked at a text', at(BOOK, 'input', 'args'), [TOOLS, 'at: Date.now()', 'at: new Date().toISOString()']),
  harmful('date forms', 'the day in words', at(SEND, 'input', 'args'), [
    AGENT,
    'new Date().toISOString().slice(0, 10)',
    'new Date().toDateString()',
  ]),
  harmful('stream left early', 'the letter, after three pieces', at(SEND, 'input', 'args'), [
    AGENT,
    '    pieces.push(piece)\n',
    '    pieces.push(piece)\n    if (pieces.length === 3) break\n',
  ]),
  harmful(
    'stream made whole',
    'of the letter',
    at(LETTER, 'input', 'body'),
    [AGENT, 'const letter = streamText({', 'const letter = await generateText({'],
    [AGENT, '  for await (const piece of letter.textStream) {\n    pieces.push(piece)\n  }\n', '  pieces.push(letter.text)\n'],
  ),
  harmful('provider switch', 'to responses', after(nth('PATCH /account'), 'unexpected-call'), [
    AGENT,
    'model: provider.chat(MODEL),\n    system: INSTRUCTIONS',
    'model: provider.responses(MODEL),\n    system: INSTRUCTIONS',
  ]),
  harmful('time limit', 'of the trip', at(MODEL, 'time-limit'), [CONFIG, 'LIMIT_MS = 60_000', 'LIMIT_MS = 1']),
  harmful('late call', 'a second letter', after(last(), 'unexpected-call'), [
    AGENT,
    RETURN,
    `setTimeout(() => void send({ trip, town }), 15)\n  ${RETURN}`,
  ]),
  harmful('late call', 'the letter is left for later', at(SEND, 'missing-call'), [
    AGENT,
    SENDING,
    SENDING.replace('await', 'setTimeout(() => void').concat(', 10)'),
  ]),
  harmful(
    'checkpoint moved',
    'behind the letter',
    after(next(LETTER, -1), 'checkpoint'),
    [AGENT, `  ${PLANNED}\n`, ''],
    [AGENT, `  ${SENDING}`, `  ${PLANNED}\n  ${SENDING}`],
  ),
  harmful('checkpoint moved', 'before the sending', after(LETTER, 'checkpoint'), [AGENT, `${SENDING}\n  ${SENT}`, `${SENT}\n  ${SENDING}`]),
  harmful('checkpoint value', 'words', after(SEND, 'checkpoint'), [AGENT, "text.split(' ').length })", 'text.length })']),
  harmful('checkpoint dropped', 'planned', after(next(LETTER, -1), 'checkpoint'), [AGENT, PLANNED, '']),
  harmful('final answer', 'steps', after(last(), 'outcome'), [
    AGENT,
    RETURN,
    RETURN.replace('planned.steps.length', 'planned.steps.length + 1'),
  ]),
  harmful('parsing drops a field', 'what was said', at(SEND, 'input', 'args'), [
    AGENT,
    "const text = pieces.join('')",
    "const text = pieces.slice(1).join('')",
  ]),
  harmful(
    'summariser skipped',
    'the letter',
    at(LETTER, 'missing-call'),
    [AGENT, '  for await (const piece of letter.textStream) {\n    pieces.push(piece)\n  }\n', '  pieces.push(planned.text)\n'],
    [
      AGENT,
      `  const letter = streamText({
    model: provider.chat(MODEL),
    system: 'You write letters.',
    prompt: planned.text,
    temperature: 0,
    onError: () => undefined,
  })
`,
      '',
    ],
    [AGENT, 'isStepCount, streamText }', 'isStepCount }'],
  ),
  harmful('custom header', 'of the provider', at(MODEL, 'input', 'headers'), [
    AGENT,
    "apiKey: 'sk-local', baseURL: `${context.url}/v1` })\n  const send",
    "apiKey: 'sk-local', headers: { 'x-team': 'trips' }, baseURL: `${context.url}/v1` })\n  const send",
  ]),
  harmful('credential of another origin', 'another constant for the letter', at(LETTER, 'input', 'credential'), [
    AGENT,
    "model: provider.chat(MODEL),\n    system: 'You",
    "model: createOpenAI({ apiKey: 'sk-other', baseURL: `${context.url}/v1` }).chat(MODEL),\n    system: 'You",
  ]),
  undecided('inside a stubbed tool', 'another booking', 'inside a stubbed tool', [
    TOOLS,
    "context.call('book', args)",
    "context.call('book', { ...args, twice: true })",
  ]),
]
