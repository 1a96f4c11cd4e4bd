import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { Agent, fetch as undiciFetch, request } from 'undici'
import { listen } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import { startProvider } from '../../examples/world/provider.ts'
import { replay } from '../../src/replay/replay.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { startRecorder } from '../support/record-run.ts'

const RUNS = 200
/** No marker is part of another. */
const markerOf = (index: number): string => `marker-${String(index).padStart(4, '0')}-end`
const markers = /marker-\d{4}-end/g

interface Clients {
  readonly openai: OpenAI
  readonly pool: Agent
  readonly url: string
}

/** Few connections, which all runs have to share and wait for. */
function createClients(providerUrl: string, url: string): Clients {
  return {
    openai: new OpenAI({ apiKey: 'sk-test', baseURL: providerUrl }),
    pool: new Agent({ connections: 6, keepAliveTimeout: 10_000 }),
    url,
  }
}

const lookUp = tool('look_up', { effect: 'write', idempotencyKey: (key) => key }, async (key: string) => {
  await new Promise((resolve) => setTimeout(resolve, 2))
  return { key, found: Math.random() < 2 }
})
const audit = external('audit', async (line: { text: string }) => {
  if (line.text.includes('0-end')) throw Object.assign(new Error(`refused ${line.text}`), { code: 'EAUDIT' })
  return { audited: line.text }
})

/** Carries its marker through every field that there is. */
function createAgent({ openai, pool, url }: Clients): (marker: string) => Promise<unknown> {
  return async (marker) => {
    const seen: unknown[] = []
    const headers = { 'idempotency-key': marker }
    const messages = [{ role: 'user' as const, content: `say ${marker}` }]
    const streamed = async (): Promise<string> => {
      let text = ''
      for await (const { choices } of await openai.chat.completions.create({ model: 'gpt-4.1', messages, stream: true })) {
        text += choices[0]?.delta.content ?? ''
      }
      return text
    }
    const plain = async (): Promise<unknown> => (await openai.chat.completions.create({ model: 'gpt-4.1', messages })).choices[0]?.message
    const posted = async (): Promise<string> => {
      const { body } = await request(`${url}/${marker}/request`, { method: 'POST', headers, body: marker, dispatcher: pool })
      return await body.text()
    }
    const fetched = async (): Promise<string> =>
      (await undiciFetch(`${url}/${marker}/fetch?of=${marker}`, { method: 'POST', headers, body: marker, dispatcher: pool })).text()
    seen.push(await Promise.all([streamed(), plain(), posted(), fetched(), lookUp(marker)]))
    checkpoint(`at ${marker}`, { marker })
    seen.push(await audit({ text: marker }).catch((error: Error) => error.message))
    await new Promise((resolve) => setTimeout(resolve, 1))
    currentRun()?.flag(`flagged ${marker}`)
    seen.push(Date.now(), crypto.randomUUID())
    return { marker, seen }
  }
}

async function recordAll(): Promise<{
  readonly traces: readonly Trace[]
  readonly addresses: readonly [provider: string, server: string]
}> {
  const provider = await startProvider({
    script: ({ messages }) => ({ text: `I say ${JSON.stringify(messages).match(markers)?.[0]} again`, chunks: 5, chunkDelayMs: 1 }),
    keepExchanges: false,
  })
  const server = await listen(async (incoming, response) => {
    const body = await readBody(incoming)
    setTimeout(() => response.end(`${incoming.url} ${body.toString()} ${String(incoming.headers['idempotency-key'])}`), body.length % 4)
  })
  const clients = createClients(provider.openaiBaseUrl, server.url)
  await using recorder = await startRecorder()
  const agent = createAgent(clients)
  try {
    const runs = await Promise.all(
      Array.from({ length: RUNS }, (_, index) =>
        recorder.record(agent, { input: markerOf(index), tags: { user: markerOf(index) } }).then(({ trace }) => trace),
      ),
    )
    expect(runs.length).toBe(RUNS)
    return { traces: runs, addresses: [provider.openaiBaseUrl, server.url] }
  } finally {
    await clients.pool.destroy()
    await provider.close()
    await server.close()
  }
}

it('keeps two hundred runs apart that are recorded and replayed at once through shared clients', { timeout: 120_000 }, async () => {
  const { traces, addresses } = await recordAll()
  for (const [index, trace] of traces.entries()) {
    const marker = markerOf(index)
    for (const row of trace.rows) {
      const found = new Set(JSON.stringify(row, textOfBytes).match(markers))
      found.delete(marker)
      expect([...found], `${marker}: ${JSON.stringify(row)}`).toEqual([])
    }
    expect(trace.steps.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6])
    expect(trace.steps.every(({ input }) => JSON.stringify(input).includes(marker))).toBe(true)
    const kinds = trace.rows.map(({ kind }) => kind)
    expect([kinds.filter((kind) => kind === 'timer').length, kinds.filter((kind) => kind === 'checkpoint').length]).toEqual([2, 1])
  }

  // Nothing is left of what they called; the clients are others, and shared too.
  const clients = createClients(...addresses)
  const agent = createAgent(clients)
  for (const trace of traces) await expectExact(trace, agent)
  await Promise.all(traces.map((trace) => expectExact(trace, agent)))
  await clients.pool.destroy()
})

async function expectExact(trace: Trace, agent: (marker: string) => Promise<unknown>): Promise<void> {
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome, run.hash]).toEqual([[], { status: 'returned', output: trace.end?.output }, trace.hash])
}

/** So that what stands in bytes can be seen too. */
function textOfBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value
}
