import OpenAI from 'openai'
import { holdConversation } from '../replay/conversation-agent.ts'

/** The kinds of model calls and their answers. Conversations use a different provider. */
export type Kind = 'json' | 'sse' | '100k' | 'slow' | 'conversation'

/** Model calls to be measured. */
export interface Workload {
  readonly kind: Kind
  /** The number of calls in a run, one after the other. */
  readonly calls: number
  /** The number of runs. */
  readonly runs: number
  /** How runs arrive: this many at a time, each followed by the next; or one every so many milliseconds on average, however many are in progress. */
  readonly arrival: { readonly concurrency: number } | { readonly everyMs: number }
}

/** Wraps a run. */
export type Surround = (agent: () => Promise<void>) => Promise<void>

/** Makes the given number of model calls, one after the other. */
export type Ask = (kind: Kind, calls: number, port: number, content: string) => Promise<void>

/** Runs a workload, with each run wrapped. @returns How long each run took, in milliseconds. */
export async function work(
  { kind, calls, runs, arrival }: Workload,
  port: number,
  surround: Surround,
  ask: Ask = callModel,
): Promise<number[]> {
  const content = kind === '100k' ? 'word '.repeat(20_000) : 'Where is my order?'
  const times: number[] = []
  const run = async (): Promise<void> => {
    const started = performance.now()
    await surround(() => ask(kind, calls, port, content))
    times.push(performance.now() - started)
  }
  await ('everyMs' in arrival ? runAsTheyCome(run, runs, arrival.everyMs) : runSoManyAtATime(run, runs, arrival.concurrency))
  return times
}

async function runSoManyAtATime(run: () => Promise<void>, runs: number, concurrency: number): Promise<void> {
  let begun = 0
  const next = async (): Promise<void> => {
    while (begun < runs) {
      begun += 1
      await run()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, next))
}

/** Starts runs like requests to a server: independently, at moments that a linear congruential generator draws the same way each time. */
async function runAsTheyCome(run: () => Promise<void>, runs: number, everyMs: number): Promise<void> {
  const all: Promise<void>[] = []
  let state = 1
  for (let index = 0; index < runs; index += 1) {
    all.push(run())
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    await new Promise((resolve) => setTimeout(resolve, -everyMs * Math.log(1 - state / 2 ** 32)))
  }
  await Promise.all(all)
}

async function callModel(kind: Kind, calls: number, port: number, content: string): Promise<void> {
  if (kind === 'conversation') {
    await holdConversation({ steps: calls }, `http://127.0.0.1:${port}/v1`)
    return
  }
  // Created anew, so that it uses the current fetch.
  const client = new OpenAI({ apiKey: 'sk-local', baseURL: `http://127.0.0.1:${port}/${kind}`, maxRetries: 0 })
  const request = { model: 'gpt-5', messages: [{ role: 'user' as const, content }] }
  for (let call = 0; call < calls; call += 1) {
    if (kind === 'sse') await readAll(await client.chat.completions.create({ ...request, stream: true }))
    else await client.chat.completions.create(request)
  }
}

async function readAll(stream: AsyncIterable<unknown>): Promise<void> {
  const iterator = stream[Symbol.asyncIterator]()
  while ((await iterator.next()).done !== true) continue
}
