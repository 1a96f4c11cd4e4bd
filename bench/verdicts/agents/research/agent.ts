import { checkpoint, tool } from 'goldenrun'
import { visitAccount } from '../account.ts'
import type { Context } from '../context.ts'
import { AT_ONCE, LONGEST, SEARCH_LIMIT_MS, WINDOW_MS } from './config.ts'
import { headers } from './headers.ts'
import { limit } from './limit.ts'
import { createModel } from './model.ts'
import { getPage } from './pages.ts'

/** The question to research. */
export interface ResearchInput {
  readonly question: string
  readonly topics: readonly string[]
  /** Says who wants to know. */
  readonly userToken: string
}

/** The result of a search. */
interface Found {
  /** Names of pages, by their titles. */
  readonly hits: ReadonlyMap<string, string>
  readonly tags: ReadonlySet<string>
  /** How many bytes were searched. */
  readonly bytes: bigint
  /** Where to continue; undefined if there is nothing more. */
  readonly cursor: string | undefined
}

/** Searches for every topic, reads what it finds, and writes a report of it. */
export async function agent({ question, topics, userToken }: ResearchInput, context: Context): Promise<unknown> {
  await visitAccount(context, headers, userToken)
  const model = createModel(context.url)
  const search = tool('search', { effect: 'read' }, (args: object): Promise<Found> => context.call('search', args))
  const saveReport = tool('save_report', { effect: 'write' }, (args: object): Promise<{ id: string }> => context.call('save_report', args))
  const index = tool('index_report', { effect: 'write' }, (args: object): Promise<void> => context.call('index_report', args))

  const started = Date.now()
  const trace = crypto.randomUUID()
  const session = crypto.randomUUID()
  const plan = await model.ask('You plan research.', question)
  const from = started - WINDOW_MS
  const founds = await limit(
    AT_ONCE,
    topics.map((topic) => () => withLimit(search({ query: topic, plan, from, to: started, session }))),
  )
  const titles = new Map(founds.flatMap(({ hits }) => [...hits]))
  const tags = new Set(founds.flatMap((found) => [...found.tags]))
  const bytes = founds.reduce((sum, found) => sum + found.bytes, 0n)
  reach('searched', { titles, tags, bytes, cursor: founds[0]?.cursor })

  const pages = await Promise.all([...titles.values()].map((name) => getPage(context.url, name)))
  const summaries = await Promise.all(topics.map((topic) => model.stream('You summarise.', `${topic}: ${pages.join(' ')}`)))
  let notes = summaries.join('\n')
  if (notes.length > LONGEST) {
    notes = await model.ask('You condense.', notes)
  }
  const read = Date.now()
  const text = await model.ask('You write reports.', `${question}\n\n${notes}`)
  const day = new Date().toISOString().slice(0, 10)
  const saved = await saveReport({ title: question, text, day, from: started, to: read, trace, session })
  reach('saved', { id: saved.id, words: text.split(' ').length })
  await index({ report: saved.id, trace, session, at: new Date(read).toISOString() })
  return { id: saved.id, text, titles, tags, bytes, cursor: founds[0]?.cursor }

  function reach(name: string, state: unknown): void {
    checkpoint(name, state)
    context.reached(name, state)
  }
}

/** Rejects where a search takes too long. */
async function withLimit<Result>(searching: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The search took too long.')), SEARCH_LIMIT_MS)
  })
  try {
    return await Promise.race([searching, late])
  } finally {
    clearTimeout(timer)
  }
}
