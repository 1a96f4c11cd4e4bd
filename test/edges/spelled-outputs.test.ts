import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { toGolden } from '../../src/replay/goldens/promotion/to-golden.ts'
import { refuseDivergent } from '../../src/replay/goldens/promotion/trial.ts'
import { replay } from '../../src/replay/replay.ts'
import { external } from '../../src/run/external.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

const answer =
  'Write to jane.doe.private@customermail.com or pay with 4539 5787 6362 1486. ' +
  'The key is sk-proj-Zq8Lm2Xv7Rt4Wy9Nb3Kd6Hs1Jf5Gp0Qa8Uc2Ei7Vo4Tz9Aa1Bb2Cc3 now.'
const secrets = /jane|customer|5787|1486|Zq8L|Kd6H|2Cc3/
const piecesOf = (text: string): string[] => text.match(/[^]{1,4}/g) ?? []
const eventOf = (content: string): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta: { content } }] })}\n\n`

const server = await listen(async (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const piece of piecesOf(answer)) response.write(eventOf(piece))
  response.end('data: [DONE]\n\n')
})
afterAll(() => server.close())

async function ask(): Promise<Response> {
  const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] })
  return await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

/** Yields the answer of a model as it arrives. */
async function* tokens(): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of (await ask()).body ?? []) {
    const events = (rest + Buffer.from(chunk).toString()).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) if (!event.includes('[DONE]')) yield JSON.parse(event.slice(6)).choices[0].delta.content as string
  }
}

async function* deltas(): AsyncGenerator<object> {
  for await (const delta of tokens()) yield { type: 'text-delta', delta }
}

async function* words(): AsyncGenerator<string> {
  let text = ''
  for await (const token of tokens()) text += token
  yield* text.split(/(?<= )/)
}

function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(Buffer.from(value))
    },
  })
}

/** The same agent, which spells an address that it was told, and one of its own. */
async function* spells(): AsyncGenerator<string> {
  yield `${await external('find', async () => 'ann.lee@somewhere-else.example.io')()} or `
  yield* 'our.own.office@firm.de or your.office@firm.de'.split(/(?<=[.@ ])/)
}

async function consume(handed: Response | ReadableStream<unknown> | AsyncIterable<unknown>): Promise<void> {
  for await (const _ of handed instanceof Response ? (handed.body ?? []) : handed);
}

function written({ end }: Trace): string {
  const output = end?.output as { readonly yielded: readonly (string | { readonly delta: string })[] } | undefined
  return (output?.yielded ?? []).map((item) => (typeof item === 'string' ? item : item.delta)).join('')
}

const agents: readonly [name: string, agent: () => unknown][] = [
  ['text', () => tokens()],
  ['objects', () => deltas()],
  ['words', () => words()],
  ['a response', () => new Response(streamOf(tokens()))],
  ['a stream', () => streamOf(tokens())],
  ['the events of the model', async () => new Response((await ask()).body, { headers: { 'content-type': 'text/event-stream' } })],
]

it.each(agents)('redacts what an agent passes on of a model in pieces, as %s, and the agent replays', async (_, agent) => {
  const { trace, text } = await recordRun(agent, { consume })
  expect(text).not.toMatch(secrets)
  expect(written(trace)).toMatch(/ with[\w.]+@\w+\.alt or pay|"content":" wit?h?"/)
  await expectClean(trace, agent)
})

it('compares a secret that an agent spells itself as one value', async () => {
  const { trace, text } = await recordRun(spells, { consume })
  expect(text).not.toMatch(/ann\.|office|firm/)
  const run = await replay(trace, spells)
  expect(run.divergences).toEqual([])
  expect(run.hash).toBe(trace.hash)
  async function* spellsOther(): AsyncGenerator<string> {
    for await (const word of spells()) yield word.replace(/^or /, 'and ')
  }
  expect((await replay(trace, spellsOther)).divergences).toMatchObject([{ cause: 'outcome', differences: [{ path: 'output.yielded[6]' }] }])
})

it('names the values that pieces spell in the summary of a promotion', async () => {
  const { trace } = await recordRun(tokens, { consume })
  expect(toGolden(trace, { name: 'chat', promotedAt: trace.header.startedAt }).standIns).toEqual({
    total: 3,
    byRule: { 'provider-key': 1, email: 1, 'card-number': 1 },
  })
})

it('advises on redacted values if the agent looks into a value that a model spelled', async () => {
  async function* looks(): AsyncGenerator<string> {
    let text = ''
    for await (const token of tokens()) text += token
    yield String(text.includes('jane'))
  }
  const { trace } = await recordRun(looks, { consume })
  const { divergences } = await replay(trace, looks)
  expect(() => refuseDivergent(trace, divergences, undefined)).toThrow('If a redacted value causes this: name public values in redact.keep')
})
