import { readFileSync } from 'node:fs'
import { promiseHooks } from 'node:v8'
import Anthropic from '@anthropic-ai/sdk'
import { ChatOpenAI } from '@langchain/openai'
import OpenAI from 'openai'
import { expect, it, vi } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { readBody } from '../../../examples/world/read-body.ts'
import { external } from '../../../src/run/external.ts'
import { tool } from '../../../src/run/tool.ts'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { callings, file, lineOf, look, placeOf, trace } from '../../support/call-sites.ts'
import { clients } from './clients.ts'

const here = 'test/replay/call-sites/first-replay.test.ts'
const lines = readFileSync(import.meta.filename, 'utf8').split('\n')
const markedLine = (name: string): number => lines.findIndex((line) => line.endsWith(`// line: ${name}`)) + 1

/** V8 knows where the agent goes on with a promise that the client settles by hand only once it does. */
const goesOn = new Set(['got awaited', 'got streamed', 'ai sdk streamed'])
const awaiting = callings.filter(([name]) => /awaited|streamed/.test(name) && !goesOn.has(name))

it.each(awaiting)('names the line that awaits %s, %s, by the first replay alone', async (name, _how, agent) => {
  let runs = 0
  const run = await replay(trace, async () => ((runs += 1), await agent(clients[name] as () => Promise<unknown>)))
  expect([placeOf(run), runs]).toEqual([[file, lineOf(name)], 1])
})

/** Clients as they are by default: they wait and try again before they pass a refusal on. */
const patient: Readonly<Record<string, () => Promise<unknown>>> = {
  anthropic: async () => {
    const client = new Anthropic({ apiKey: 'none', baseURL: 'http://127.0.0.1:4010' })
    const stream = client.messages.stream({ model: 'model-1', max_tokens: 100, messages: [{ role: 'user', content: 'Where?' }] })
    const text = await stream.finalText() // line: anthropic
    return text
  },
  langchain: async () => {
    const model = new ChatOpenAI({ model: 'model-1', apiKey: 'none', configuration: { baseURL: 'http://127.0.0.1:4010' } })
    const { content } = await model.invoke('Where?') // line: langchain
    return content
  },
}

it.each(Object.entries(patient))('names the line that awaits a client which tries again before it gives up: %s', async (name, ask) => {
  const { divergences, outcome } = await replay(trace, ask)
  expect([divergences.length, outcome.status, divergences[0]?.site]).toMatchObject([1, 'stopped', { file: here, line: markedLine(name) }])
})

it('names the line of a hidden call that the agent makes in the place of others, or too late', async () => {
  const server = await listen(async (incoming, response) => {
    const { messages } = JSON.parse(String(await readBody(incoming))) as { readonly messages: readonly { readonly content: string }[] }
    const message = { role: 'assistant', content: `Re: ${messages[0]?.content}` }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: 'c1', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] }))
  })
  const model = new ChatOpenAI({ model: 'model-1', apiKey: 'none', configuration: { baseURL: server.url } })
  const ask = async (words: string): Promise<string> => {
    const { content } = await model.invoke(words) // line: asked
    return typeof content === 'string' ? content : ''
  }
  const team = (way: string) => async (): Promise<unknown> => {
    const plan = await ask('plan')
    if (way === 'late') {
      await ask('write')
      return await ask('check')
    }
    const checked = way === 'left out' ? plan : await ask('check')
    return await ask(way === 'in order' ? 'write' : `write ${checked}`)
  }
  const inOrder = await recordRun(team('in order'))
  const following = await recordRun(team('following'))
  await server.close()
  const late = await replay(inOrder.trace, team('late'))
  expect(late.divergences[0]).toMatchObject({ cause: 'order', step: 2, site: { file: here, line: markedLine('asked') } })
  const leftOut = await replay(following.trace, team('left out'))
  expect(leftOut.divergences[0]).toMatchObject({ cause: 'missing-call', step: 2, site: { file: here, line: markedLine('asked') } })
})

it('does not wait for timers of the agent once its line is known', async () => {
  let isAwake = false
  const agent = async (): Promise<unknown> => {
    void new Promise((resolve) => setTimeout(resolve, 10)).then(() => (isAwake = true))
    return await send('/unknown')
  }
  const { outcome } = await replay(trace, agent)
  expect([outcome.status, isAwake]).toEqual(['stopped', false])
})

it('names no line of a package, whatever client hides the line of the agent', async () => {
  for (const [name, how, agent] of callings) {
    const run = await replay(trace, () => agent(clients[name] as () => Promise<unknown>))
    for (const { site } of run.divergences)
      expect([name, how, site?.file ?? '']).not.toContainEqual(expect.stringContaining('node_modules'))
  }
}, 60_000)

it('follows no promise of a replay that holds', async () => {
  const hooks = vi.spyOn(promiseHooks, 'createHook')
  const held = await replay(trace, async () => [await look('ord_1'), await look('ord_2')])
  expect([held.divergences, hooks.mock.calls.length]).toEqual([[], 0])
  await replay(trace, async () => await clients['anthropic awaited']?.())
  expect(hooks).toHaveBeenCalledTimes(1)
  hooks.mockRestore()
})

const send = external('send', async (what: string) => what)
const stop = tool('stop', {}, async () => 0)

async function post(path: string): Promise<string> {
  return await send(path) // line: helper
}

const client = {
  async ship(order: string) {
    return await post(`/ship/${order}`) // line: client
  },
}

const helped = async (change: string): Promise<void> => {
  await post('/first')
  await post(change === 'second' ? '/changed' : '/second') // line: second
  await client.ship(change === 'third' ? 'changed' : 'ord_1') // line: third
  if (change === 'extra') await post('/extra') // line: extra
}

it.each(['second', 'third', 'extra'])('names the caller of a helper that makes all calls: %s', async (change) => {
  const recorded = await recordRun(() => helped(''))
  expect((await replay(recorded.trace, () => helped(''))).divergences).toEqual([])
  for (const traceCallSites of [false, true]) {
    const { divergences } = await replay(recorded.trace, () => helped(change), { traceCallSites })
    expect(divergences[0]?.site).toMatchObject({ file: here, line: markedLine(change) })
  }
})

it('names the line of a call that is made in a loop, by a function that makes no other', async () => {
  const ask = async (order: string): Promise<string> => await send(order) // line: loop
  const agent = async (last: string): Promise<void> => {
    for (const order of ['ord_1', 'ord_2', last]) await ask(order)
  }
  const recorded = await recordRun(() => agent('ord_3'))
  const { divergences } = await replay(recorded.trace, () => agent('ord_4'))
  expect(divergences[0]).toMatchObject({ cause: 'input', step: 3, site: { file: here, line: markedLine('loop') } })
})

it('names the line of a call that a helper makes again, although its stack then lacks the function that does not await it', async () => {
  const repeat = async (times: number, body: () => Promise<unknown>): Promise<void> => {
    for (let time = 0; time < times; time += 1) await body()
  }
  const refund = (times: number): Promise<void> => repeat(times, () => send('/refund')) // line: again
  const agent = async (times: number): Promise<void> => {
    await refund(times)
  }
  const recorded = await recordRun(() => agent(1))
  const { divergences } = await replay(recorded.trace, () => agent(2))
  expect(divergences[0]).toMatchObject({ cause: 'unexpected-call', site: { file: here, line: markedLine('again') } })
})

it('names the line where the agent went on instead of a call that it skips', async () => {
  const agent = async (skips: boolean): Promise<void> => {
    await look('ord_1')
    if (!skips) await stop()
    await look('ord_2') // line: instead
    await look('ord_3')
  }
  const recorded = await recordRun(() => agent(false))
  const { divergences } = await replay(recorded.trace, () => agent(true))
  expect(divergences[0]).toMatchObject({ cause: 'missing-call', step: 2, site: { file: here, line: markedLine('instead') } })
})

const chunk = (content: string): string =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', model: 'gpt-5', choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: 'stop' }] })}\n\n`

it('names the line that starts a client which begins its work in a timer', async () => {
  const server = await listen(async (incoming, response) => {
    await readBody(incoming)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${chunk('Hello')}data: [DONE]\n\n`)
  })
  const greet = async (words: string): Promise<unknown> => {
    const { chat } = new OpenAI({ apiKey: 'none', baseURL: server.url })
    await look('ord_1')
    const stream = chat.completions.stream({ model: 'gpt-5', messages: [{ role: 'user', content: words }] }) // line: begun
    return (await stream.finalMessage()).content
  }
  const recorded = await recordRun(() => greet('Hello?'))
  await server.close()
  expect((await replay(recorded.trace, () => greet('Hello?'))).divergences).toEqual([])
  const { divergences } = await replay(recorded.trace, () => greet('Who is there?'))
  expect(divergences[0]).toMatchObject({ cause: 'input', step: 2, site: { file: here, line: markedLine('begun') } })
})
