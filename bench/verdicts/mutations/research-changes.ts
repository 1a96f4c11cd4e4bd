import { after, at, harmful, type Mutation, undecided } from './mutation.ts'
import { type Fields, last, next, nth, type Place, the } from './places.ts'

const AGENT = 'agent.ts'

const SEARCH = 'search({ query: topic, plan, from, to: started, session })'

const SAVE = 'saveReport({ title: question, text, day, from: started, to: read, trace, session })'

const INDEX = 'await index({ report: saved.id, trace, session, at: new Date(read).toISOString() })'

const SAVED = "reach('saved', { id: saved.id, words: text.split(' ').length })"

const RETURN = 'return { id: saved.id, text, titles, tags, bytes, cursor: founds[0]?.cursor }'

const PAGES = 'await Promise.all([...titles.values()].map((name) => getPage(context.url, name)))'

const SUMMARIES = "await Promise.all(topics.map((topic) => model.stream('You summarise.', `${topic}: ${pages.join(' ')}`)))"

const summary = (n: number): Place => the('model', ({ messages }: Fields) => messages[0].content === 'You summarise.', n)

const CONDENSE = the('model', ({ messages }: Fields) => messages[0].content === 'You condense.')

const page = (n: number): Place => nth(`GET /pages/page-${n}`)

/** Changes of the research agent that do harm, and those that no recording can judge. */
export const RESEARCH_CHANGES: readonly Mutation[] = [
  harmful('concurrency', 'two searches at once', at(nth('search', 3), 'order'), ['config.ts', 'AT_ONCE = 3', 'AT_ONCE = 2']),
  harmful('concurrency', 'four searches at once', at(nth('search', 4), 'order'), ['config.ts', 'AT_ONCE = 3', 'AT_ONCE = 4']),
  harmful('concurrency', 'one search at a time', at(nth('search', 2), 'order'), ['config.ts', 'AT_ONCE = 3', 'AT_ONCE = 1']),
  harmful('concurrency', 'pages one after the other', at(page(1), 'order'), [
    AGENT,
    PAGES,
    '[]\n  for (const name of titles.values()) (pages as string[]).push(await getPage(context.url, name))',
  ]),
  harmful('concurrency', 'summaries one after the other', at(summary(2), 'order'), [
    AGENT,
    SUMMARIES,
    "await limit(1, topics.map((topic) => () => model.stream('You summarise.', `${topic}: ${pages.join(' ')}`)))",
  ]),
  harmful('summariser skipped', 'notes are used as they are', at(CONDENSE, 'missing-call'), [
    AGENT,
    "notes = await model.ask('You condense.', notes)",
    'notes = notes.slice()',
  ]),
  harmful('summariser skipped', 'only of long notes', at(CONDENSE, 'missing-call'), ['config.ts', 'LONGEST = 200', 'LONGEST = 2000']),
  harmful('summariser repeated', 'condensed twice', after(CONDENSE, 'unexpected-call'), [
    AGENT,
    "notes = await model.ask('You condense.', notes)",
    "notes = await model.ask('You condense.', await model.ask('You condense.', notes))",
  ]),
  harmful('stream broken off', 'after four pieces', at(summary(1), 'outcome'), [
    'model.ts',
    "pieces.push(chunk.choices[0]?.delta.content ?? '')",
    "pieces.push(chunk.choices[0]?.delta.content ?? '')\n        if (pieces.length === 4) break",
  ]),
  harmful('stream broken off', 'at the first colon', at(summary(1), 'outcome'), [
    'model.ts',
    "pieces.push(chunk.choices[0]?.delta.content ?? '')",
    "pieces.push(chunk.choices[0]?.delta.content ?? '')\n        if (pieces.at(-1)?.includes(':')) break",
  ]),
  harmful('stream broken off', 'by a signal', at(summary(1), 'outcome'), [
    'model.ts',
    "pieces.push(chunk.choices[0]?.delta.content ?? '')",
    "pieces.push(chunk.choices[0]?.delta.content ?? '')\n        if (pieces.length === 4) stream.controller.abort()",
  ]),
  harmful('Map, Set, BigInt, undefined', 'a Map becomes an object', after(last(), 'outcome'), [
    AGENT,
    RETURN,
    RETURN.replace('titles,', 'titles: Object.fromEntries(titles),'),
  ]),
  harmful('Map, Set, BigInt, undefined', 'a Set becomes a list', after(last(), 'outcome'), [
    AGENT,
    RETURN,
    RETURN.replace('tags,', 'tags: [...tags],'),
  ]),
  harmful('Map, Set, BigInt, undefined', 'a BigInt becomes a number', after(last(), 'outcome'), [
    AGENT,
    RETURN,
    RETURN.replace('bytes,', 'bytes: Number(bytes),'),
  ]),
  harmful('Map, Set, BigInt, undefined', 'undefined becomes null', after(last(), 'outcome'), [
    AGENT,
    RETURN,
    RETURN.replace('founds[0]?.cursor', 'founds[0]?.cursor ?? null'),
  ]),
  harmful('Map, Set, BigInt, undefined', 'a Map loses an entry', after(last(), 'outcome'), [
    AGENT,
    RETURN,
    RETURN.replace('titles,', 'titles: new Map([...titles].slice(1)),'),
  ]),
  harmful('Map, Set, BigInt, undefined', 'a BigInt is one more', after(last(), 'outcome'), [
    AGENT,
    RETURN,
    RETURN.replace('bytes,', 'bytes: bytes + 1n,'),
  ]),
  harmful('Map, Set, BigInt, undefined', 'a Map of a checkpoint becomes a list', after(next(page(0), -1), 'checkpoint'), [
    AGENT,
    "reach('searched', { titles,",
    "reach('searched', { titles: [...titles],",
  ]),
  harmful('Map, Set, BigInt, undefined', 'a Set of a checkpoint is empty', after(next(page(0), -1), 'checkpoint'), [
    AGENT,
    "reach('searched', { titles, tags,",
    "reach('searched', { titles, tags: new Set(),",
  ]),
  harmful('checkpoint moved', 'before the report is saved', after(next(nth('save_report'), -1), 'checkpoint'), [
    AGENT,
    `const saved = await ${SAVE}\n  ${SAVED}`,
    `reach('saved', { id: 'report-' + (question.split(' ').at(-1) ?? '').slice(0, -1), words: text.split(' ').length })\n  const saved = await ${SAVE}`,
  ]),
  harmful('checkpoint moved', 'behind the index', after(nth('save_report'), 'checkpoint'), [
    AGENT,
    `${SAVED}\n  ${INDEX}`,
    `${INDEX}\n  ${SAVED}`,
  ]),
  harmful('checkpoint moved', 'behind the pages', after(next(page(0), -1), 'checkpoint'), [
    AGENT,
    `reach('searched', { titles, tags, bytes, cursor: founds[0]?.cursor })\n\n  const pages = ${PAGES}`,
    `const pages = ${PAGES}\n  reach('searched', { titles, tags, bytes, cursor: founds[0]?.cursor })`,
  ]),
  harmful('checkpoint dropped', 'searched', after(next(page(0), -1), 'checkpoint'), [
    AGENT,
    "reach('searched', { titles, tags, bytes, cursor: founds[0]?.cursor })",
    '',
  ]),
  harmful(
    'call not awaited',
    'saving and indexing',
    at(nth('index_report'), 'order'),
    [
      AGENT,
      `const saved = await ${SAVE}\n  ${SAVED}`,
      `const saving = ${SAVE}\n  const saved = { id: 'report-' + (question.split(' ').at(-1) ?? '').slice(0, -1) }\n  ${INDEX.replace('await ', 'const indexing = ')}\n  await saving\n  ${SAVED}\n  await indexing`,
    ],
    [AGENT, `\n  ${INDEX}\n  ${RETURN}`, `\n  ${RETURN}`],
  ),
  harmful('call not awaited', 'the last one, of the index', at(last('index_report'), 'order'), [
    AGENT,
    INDEX,
    INDEX.replace('await', 'void'),
  ]),
  harmful('call not awaited', 'an extra log of what was saved', after(nth('save_report'), 'unexpected-call'), [
    AGENT,
    SAVED,
    `void index({ report: saved.id, note: 'saved' })\n  ${SAVED}`,
  ]),
  harmful('swapped draws', 'from and to of the report', at(nth('save_report'), 'input', 'args'), [
    AGENT,
    'from: started, to: read, trace',
    'from: read, to: started, trace',
  ]),
  harmful(
    'swapped draws',
    'from and to of the report, beside one more read',
    at(nth('save_report'), 'input', 'args'),
    [AGENT, 'from: started, to: read, trace', 'from: read, to: started, trace'],
    [AGENT, 'const read = Date.now()', 'Date.now()\n  const read = Date.now()'],
  ),
  harmful('swapped draws', 'from is to', at(nth('save_report'), 'input', 'args'), [
    AGENT,
    'from: started, to: read, trace',
    'from: read, to: read, trace',
  ]),
  harmful(
    'swapped draws',
    'to is from, beside one more read',
    at(nth('save_report'), 'input', 'args'),
    [AGENT, 'from: started, to: read, trace', 'from: started, to: started, trace'],
    [AGENT, 'const read = Date.now()', 'Date.now()\n  const read = Date.now()'],
  ),
  harmful('swapped draws', 'the window of searches', at(nth('search'), 'input', 'args'), [
    AGENT,
    SEARCH,
    'search({ query: topic, plan, from: started, to: from, session })',
  ]),
  harmful('keys and ids', 'trace and session swapped', at(nth('save_report'), 'input', 'args'), [
    AGENT,
    SAVE,
    SAVE.replace('trace, session', 'trace: session, session: trace'),
  ]),
  harmful(
    'keys and ids',
    'trace and session swapped, beside one more id',
    at(nth('save_report'), 'input', 'args'),
    [AGENT, SAVE, SAVE.replace('trace, session', 'trace: session, session: trace')],
    [AGENT, 'const session = crypto', 'crypto.randomUUID()\n  const session = crypto'],
  ),
  harmful('keys and ids', 'a session for each search', at(nth('search', 2), 'input', 'args'), [
    AGENT,
    SEARCH,
    SEARCH.replace('session', 'session: topic === topics[0] ? session : crypto.randomUUID()'),
  ]),
  harmful('keys and ids', 'trace is the session', at(nth('save_report'), 'input', 'args'), [
    AGENT,
    SAVE,
    SAVE.replace('trace,', 'trace: session,'),
  ]),
  harmful('units', 'the window in seconds', at(nth('search'), 'input', 'args'), [
    AGENT,
    SEARCH,
    SEARCH.replace('to: started', 'to: Math.floor(started / 1000)'),
  ]),
  harmful(
    'units',
    'the window in seconds, beside one more read',
    at(nth('search'), 'input', 'args'),
    [AGENT, SEARCH, SEARCH.replace('to: started', 'to: Math.floor(started / 1000)')],
    [AGENT, 'const started = Date.now()', 'Date.now()\n  const started = Date.now()'],
  ),
  harmful('units', 'a day in place of a week', at(nth('search'), 'input', 'args'), ['config.ts', '7 * 24', '24']),
  harmful('date forms', 'a day in words', at(nth('save_report'), 'input', 'args'), [
    AGENT,
    'new Date().toISOString().slice(0, 10)',
    'new Date().toDateString()',
  ]),
  harmful('date forms', 'a moment in place of a day', at(nth('save_report'), 'input', 'args'), [
    AGENT,
    'new Date().toISOString().slice(0, 10)',
    'new Date().toISOString()',
  ]),
  harmful('date forms', 'a moment as a number', at(nth('index_report'), 'input', 'args'), [
    AGENT,
    'at: new Date(read).toISOString()',
    'at: read',
  ]),
  harmful('date forms', 'a moment for mail', at(nth('index_report'), 'input', 'args'), [
    AGENT,
    'at: new Date(read).toISOString()',
    'at: new Date(read).toUTCString()',
  ]),
  harmful('time limit', 'of a page, by a signal', at(page(0), 'time-limit'), ['config.ts', 'PAGE_LIMIT_MS = 60_000', 'PAGE_LIMIT_MS = 1']),
  harmful('time limit', 'of a search, by a race', at(nth('search'), 'time-limit'), [
    'config.ts',
    'SEARCH_LIMIT_MS = 30_000',
    'SEARCH_LIMIT_MS = 1',
  ]),
  harmful('late call', 'indexed again a moment later', after(last(), 'unexpected-call'), [
    AGENT,
    RETURN,
    `setTimeout(() => void index({ report: saved.id, again: true }), 20)\n  ${RETURN}`,
  ]),
  harmful('late call', 'indexed after the return', at(nth('index_report'), 'missing-call'), [
    AGENT,
    INDEX,
    INDEX.replace('await index(', 'setTimeout(() => void index(').replace(/\)$/, '), 20)'),
  ]),
  {
    ...harmful('late call', 'indexed again after two seconds', after(last(), 'unexpected-call'), [
      AGENT,
      RETURN,
      `setTimeout(() => void index({ report: saved.id, again: true }), 2000)\n  ${RETURN}`,
    ]),
    watchMs: 2200,
  },
  harmful('late call', 'a request after the return', after(last(), 'unexpected-call'), [
    AGENT,
    RETURN,
    `setTimeout(() => void fetch(\`\${context.url}/pings\`, { method: 'POST', body: '{}' }), 15)\n  ${RETURN}`,
  ]),
  harmful('call repeated', 'the first page again', after(page(2), 'unexpected-call'), [
    AGENT,
    'const summaries =',
    "await getPage(context.url, 'page-0')\n  const summaries =",
  ]),
  harmful('call skipped', 'the last page', at(page(2), 'missing-call'), [
    AGENT,
    '[...titles.values()].map',
    '[...titles.values()].slice(0, 2).map',
  ]),
  harmful('memoisation removed', 'the plan is asked for twice', after(nth('model'), 'unexpected-call'), [
    AGENT,
    'const from = started',
    "await model.ask('You plan research.', question)\n  const from = started",
  ]),
  harmful('url', 'another form of pages', at(page(0), 'input', 'url'), ['pages.ts', 'form=text', 'form=html']),
  harmful('url', 'another path', at(page(0), 'input', 'url'), ['pages.ts', '/pages/', '/texts/']),
  harmful('method', 'a HEAD in place of a GET', at(page(0), 'input', 'method'), ['pages.ts', '{ signal:', "{ method: 'HEAD', signal:"]),
  harmful('parsing drops a field', 'the plan', at(nth('search'), 'input', 'args'), [AGENT, 'query: topic, plan,', 'query: topic,']),
  harmful('system prompt, one word', 'summaries', at(summary(1), 'input', 'system-prompt'), [
    AGENT,
    "stream('You summarise.'",
    "stream('You sum up.'",
  ]),
  harmful('model id', 'another', at(nth('model'), 'model-drift', 'model'), ['config.ts', "'gpt-4o-mini'", "'gpt-4.1-mini'"]),
  harmful('two calls swapped', 'order of topics', at(nth('search'), 'order'), [
    AGENT,
    'topics.map((topic) => () =>',
    'topics.toReversed().map((topic) => () =>',
  ]),
  harmful('stream made whole', 'of summaries', at(summary(1), 'input', 'body'), [AGENT, 'model.stream(', 'model.ask(']),
  undecided('a read moved over a call', 'read when it started', 'a read moved over a call', [
    AGENT,
    'const read = Date.now()',
    'const read = started',
  ]),
  undecided('a read moved over a call', 'before the report is written', 'a read moved over a call', [
    AGENT,
    "const read = Date.now()\n  const text = await model.ask('You write reports.', `${question}\\n\\n${notes}`)",
    "const text = await model.ask('You write reports.', `${question}\\n\\n${notes}`)\n  const read = Date.now()",
  ]),
  undecided('ids drawn in another order', 'trace and session', 'ids drawn in another order', [
    AGENT,
    'const trace = crypto.randomUUID()\n  const session = crypto.randomUUID()',
    'const session = crypto.randomUUID()\n  const trace = crypto.randomUUID()',
  ]),
  undecided('inside a stubbed tool', 'another search is made', 'inside a stubbed tool', [
    AGENT,
    "context.call('search', args)",
    "context.call('search', { ...args, most: 3 })",
  ]),
]
