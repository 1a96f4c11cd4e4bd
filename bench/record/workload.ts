import OpenAI from 'openai'
import { holdConversation } from '../replay/conversation-agent.ts'

/** What model calls ask for and are answered with; a conversation is another provider's. */
export type Kind = 'json' | 'sse' | '100k' | 'slow' | 'conversation'

/** Model calls that are made to be measured. */
export interface Workload {
  readonly kind: Kind
  /** How many calls a run makes, one after the other. */
  readonly calls: number
  /** How many runs there are, and how many of them at a time. */
  readonly runs: number
  readonly concurrency: number
}

/** Surrounds a run. */
export type Surround = (agent: () => Promise<void>) => Promise<void>

/** Makes so many model calls, one after the other. */
export type Ask = (kind: Kind, calls: number, port: number, content: string) => Promise<void>

/** Does a workload, each run surrounded. @returns How long each run took, in milliseconds. */
export async function work(
  { kind, calls, runs, concurrency }: Workload,
  port: number,
  surround: Surround,
  ask: Ask = callModel,
): Promise<number[]> {
  const content = kind === '100k' ? 'word '.repeat(20_000) : 'Where is my order?'
  const times: number[] = []
  let begun = 0
  const next = async (): Promise<void> => {
    while (begun < runs) {
      begun += 1
      const started = performance.now()
      await surround(() => ask(kind, calls, port, content))
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, next))
  return times
}

async function callModel(kind: Kind, calls: number, port: number, content: string): Promise<void> {
  if (kind === 'conversation') {
    await holdConversation({ steps: calls }, `http://127.0.0.1:${port}/v1`)
    return
  }
  // Made anew, so that it takes the fetch of now.
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
