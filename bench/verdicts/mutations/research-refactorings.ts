import { benign, drifting, type Mutation } from './mutation.ts'

const AGENT = 'agent.ts'

/** Changes of the research agent that cannot be noticed from outside. */
export const RESEARCH_REFACTORINGS: readonly Mutation[] = [
  benign('an extra clock read', 'before the first', [AGENT, 'const started = Date.now()', 'Date.now()\n  const started = Date.now()']),
  benign('an extra clock read', 'before the last', [AGENT, 'const read = Date.now()', 'void Date.now()\n  const read = Date.now()']),
  benign('an extra clock read', 'of an id', [AGENT, 'const trace = crypto', 'crypto.randomUUID()\n  const trace = crypto']),
  benign('an extra clock read', 'of a number', [AGENT, 'const trace = crypto', 'Math.random()\n  const trace = crypto']),
  benign(
    'hoisted read',
    'the day, before the saving',
    [AGENT, 'const text = await model.ask(', 'const day = new Date().toISOString().slice(0, 10)\n  const text = await model.ask('],
    [AGENT, '  const day = new Date().toISOString().slice(0, 10)\n  const saved', '  const saved'],
  ),
  benign('Date.now and new Date', 'started', [AGENT, 'const started = Date.now()', 'const started = new Date().getTime()']),
  benign('Date.now and new Date', 'read', [AGENT, 'const read = Date.now()', 'const read = +new Date()']),
  benign('Date.now and new Date', 'the day', [
    AGENT,
    'new Date().toISOString().slice(0, 10)',
    'new Date(Date.now()).toISOString().slice(0, 10)',
  ]),
  benign('longer limit', 'of pages', ['config.ts', 'PAGE_LIMIT_MS = 60_000', 'PAGE_LIMIT_MS = 120_000']),
  benign('longer limit', 'of searches', ['config.ts', 'SEARCH_LIMIT_MS = 30_000', 'SEARCH_LIMIT_MS = 90_000']),
  benign('longer limit', 'a limit that nothing reaches', ['config.ts', 'PAGE_LIMIT_MS = 60_000', 'PAGE_LIMIT_MS = 20_000']),
  benign('added sleep', 'before the pages', [
    AGENT,
    'const pages =',
    'await new Promise((resolve) => setTimeout(resolve, 10))\n  const pages =',
  ]),
  benign('added sleep', 'before the saving', [
    AGENT,
    'const saved =',
    'await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 5))\n  const saved =',
  ]),
  benign('an awaited no-op', 'before each summary', [
    AGENT,
    'topics.map((topic) => model.stream',
    'topics.map(async (topic) => await model.stream',
  ]),
  benign('an awaited no-op', 'before the plan', [AGENT, 'const plan =', 'await Promise.resolve()\n  const plan =']),
  benign('parallel-safe refactoring', 'pages by a loop of promises', [
    AGENT,
    '[...titles.values()].map((name) => getPage(context.url, name))',
    'Array.from(titles, ([, name]) => getPage(context.url, name))',
  ]),
  benign('parallel-safe refactoring', 'pages are asked for from the last', [
    AGENT,
    'await Promise.all([...titles.values()].map((name) => getPage(context.url, name)))',
    '(await Promise.all([...titles.values()].toReversed().map((name) => getPage(context.url, name)))).toReversed()',
  ]),
  benign('parallel-safe refactoring', 'settled in place of all', [
    AGENT,
    "await Promise.all(topics.map((topic) => model.stream('You summarise.', `${topic}: ${pages.join(' ')}`)))",
    "(await Promise.allSettled(topics.map((topic) => model.stream('You summarise.', `${topic}: ${pages.join(' ')}`)))).map((one) => (one as { value: string }).value)",
  ]),
  benign('reordered object keys', 'of a search', [
    AGENT,
    '{ query: topic, plan, from, to: started, session }',
    '{ session, to: started, from, plan, query: topic }',
  ]),
  benign('reordered object keys', 'of the result', [
    AGENT,
    'return { id: saved.id, text, titles, tags,',
    'return { tags, titles, text, id: saved.id,',
  ]),
  benign(
    'renamed variables',
    'founds',
    [AGENT, 'const founds = await limit(', 'const results = await limit('],
    [
      AGENT,
      `  const titles = new Map(founds.flatMap(({ hits }) => [...hits]))
  const tags = new Set(founds.flatMap((found) => [...found.tags]))
  const bytes = founds.reduce(`,
      `  const founds = results
  const titles = new Map(founds.flatMap(({ hits }) => [...hits]))
  const tags = new Set(founds.flatMap((found) => [...found.tags]))
  const bytes = founds.reduce(`,
    ],
  ),
  benign('extra logging', 'to the console of debugging', [
    AGENT,
    'const read = Date.now()',
    'const read = Date.now()\n  process.emitWarning?.call',
  ]),
  benign('extra logging', 'of how long it took', [
    AGENT,
    'const read = Date.now()',
    'const read = Date.now()\n  void `took ${Date.now() - started} ms`',
  ]),
  benign('added types', 'of the result', [AGENT, 'const titles = new Map(', 'const titles: Map<string, string> = new Map(']),
  benign(
    'split helper',
    'a function of its own',
    [AGENT, 'const tags = new Set(founds.flatMap((found) => [...found.tags]))', 'const tags = collectTags(founds)'],
    [
      AGENT,
      '/** Rejects where',
      'function collectTags(founds: readonly Found[]): Set<string> {\n  const tags = new Set<string>()\n  for (const found of founds) for (const tag of found.tags) tags.add(tag)\n  return tags\n}\n\n/** Rejects where',
    ],
  ),
  benign('whitespace', 'blank lines', [AGENT, 'const plan =', '\n\n  // The plan.\n\n  const plan =']),
  benign(
    'a client built elsewhere',
    'for each question',
    ['model.ts', "const client = new OpenAI({ apiKey: 'sk-local', baseURL: `${base}/v1`, maxRetries: 0 })\n", ''],
    [
      'model.ts',
      'export function createModel(base: string): Model {',
      "export function createModel(base: string): Model {\n  const client = new OpenAI({ apiKey: 'sk-other', baseURL: `${base}/v1/`, maxRetries: 0, timeout: 50_000 })\n",
    ],
  ),
  benign('stream read otherwise', 'by an iterator', [
    'model.ts',
    'for await (const chunk of stream) {\n',
    'for await (const chunk of { [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator]() }) {\n',
  ]),
  benign('limit never cleared', 'a timer is left', [AGENT, '    clearTimeout(timer)\n', '    timer?.unref()\n']),
  drifting('an effect', 'write becomes read', [
    AGENT,
    "tool('index_report', { effect: 'write' }",
    "tool('index_report', { effect: 'read' }",
  ]),
]
