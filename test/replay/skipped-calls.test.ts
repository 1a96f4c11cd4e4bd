import OpenAI from 'openai'
import { afterAll, expect, it } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { compareRuns } from '../../src/replay/compare/compare-runs.ts'
import { replay } from '../../src/replay/replay.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'

const texts = ['A plan of three parts.', 'The short of it.', 'The report.', 'More of it.', 'The end.']
const provider = await startProvider({ script: texts.map((text) => ({ text })) })
afterAll(() => provider.close())

const client = new OpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl })
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
const read = external('read', async (id: string) => (await pause(1), { id, text: `All of ${id}.` }))
const send = tool('send', { effect: 'write' }, async (args: object) => (await pause(1), Object.keys(args).length))
const commit = tool('commit', { effect: 'write' }, async (args: object) => (await pause(1), Object.keys(args).length))

type Message = { role: 'system' | 'user' | 'assistant'; content: string }

async function chat(messages: Message[]): Promise<string> {
  return (await client.chat.completions.create({ model: 'gpt-4.1', messages })).choices[0]?.message.content ?? ''
}

const ask = (system: string, content: string): Promise<string> =>
  chat([
    { role: 'system', content: system },
    { role: 'user', content },
  ])

/** The first divergence of a replay, and of a comparison with what it did. */
async function firstOf(recorded: () => Promise<unknown>, edited: () => Promise<unknown>): Promise<unknown[]> {
  const { trace } = await recordRun(recorded)
  const run = await replay(trace, edited)
  const again = await replay(trace, edited, { onDivergence: 'continue' })
  const compared = await compareRuns(trace, run.toTrace())
  return [run, again, compared].map(({ divergences: [first] }) => first && `${first.cause} ${first.position} ${first.step} ${first.name}`)
}

const thrice = (verdict: string): string[] => [verdict, verdict, verdict]

it('reports a skipped model call when the agent continues with a different prompt', async () => {
  const agent = (condenses: boolean) => async () => {
    const notes = await ask('You plan.', 'Tea.')
    return await ask('You report.', `Tea. ${condenses ? `In short: ${await ask('You condense.', notes)}` : notes}`)
  }
  expect(await firstOf(agent(true), agent(false))).toEqual(thrice('missing-call at 2 openai.chat'))
})

it('says that a model call is made once more where the next one has another prompt', async () => {
  const agent = (again: boolean) => async () => {
    const notes = await ask('You condense.', 'All of it.')
    return await ask('You report.', again ? await ask('You condense.', `Shorter: ${notes}`) : notes)
  }
  expect(await firstOf(agent(false), agent(true))).toEqual(thrice('unexpected-call after 1 openai.chat'))
})

it('compares a call with an unknown prompt with the call that is due', async () => {
  const agent = (system: string) => async () => await ask('You report.', await ask(system, await ask('You plan.', 'Tea.')))
  expect(await firstOf(agent('You condense.'), agent('You sum up.'))).toEqual(thrice('input at 2 openai.chat'))
})

const team =
  (before: () => Promise<unknown>, writes = 'Write it.') =>
  async (): Promise<void> => {
    await ask('You plan.', 'Plan.')
    await before()
    await ask('You check.', 'Check it.')
    await ask('You write.', writes)
  }

it.each([
  ['comes later', () => ask('You write.', 'Say hello first.')],
  ['came before', () => ask('You plan.', 'Plan again.')],
])('reports one call more of a sub-agent whose turn %s as such', async (_, extra) => {
  const nothing = async (): Promise<void> => undefined
  expect(await firstOf(team(nothing), team(extra))).toEqual(thrice('unexpected-call after 1 openai.chat'))
})

it('reports sub-agents that changed places as an order, or as the call that was made if that differs', async () => {
  const swapped = (writes: string) => async (): Promise<void> => {
    await ask('You plan.', 'Plan.')
    await ask('You write.', writes)
    await ask('You check.', 'Check it.')
  }
  const recorded = team(async () => undefined)
  expect(await firstOf(recorded, swapped('Write it.'))).toEqual(thrice('order at 2 openai.chat'))
  expect(await firstOf(recorded, swapped('Add a check, please.'))).toEqual(thrice('unexpected-call after 1 openai.chat'))
})

it('reports a request with another method to another path as one more', async () => {
  const shop = (path: string, method: string): Promise<Response> => fetch(`${provider.url}${path}`, { method })
  const agent = (asks: boolean) => async (): Promise<void> => {
    await shop('/orders', 'POST')
    if (asks) await shop('/profile', 'GET')
    await shop('/letters', 'POST')
  }
  expect(await firstOf(agent(false), agent(true))).toEqual(thrice(`unexpected-call after 1 ${new URL(provider.url).host}`))
})

it('reports a skipped tool when the conversation continues with a different result', async () => {
  const agent = (reads: boolean) => async () => {
    const messages: Message[] = [{ role: 'system', content: 'You talk.' }]
    for (const id of ['a', 'b', 'c']) {
      messages.push({ role: 'user', content: id }, { role: 'assistant', content: await chat(messages) })
      const { text } = reads || id !== 'b' ? await read(id) : { text: 'Nothing new.' }
      messages.push({ role: 'user', content: text })
    }
    return await chat(messages)
  }
  expect(await firstOf(agent(true), agent(false))).toEqual(thrice('missing-call at 4 read'))
})

it('says that a model call was left out where the next tool is given another text', async () => {
  const agent = (writes: boolean) => async () => {
    const { text, id } = await read('a')
    return await send({ to: 'Jo', subject: id, kind: 'letter', text: writes ? await ask('You write letters.', text) : text })
  }
  expect(await firstOf(agent(true), agent(false))).toEqual(thrice('missing-call at 2 openai.chat'))
})

it('says that turns are missing where the agent ends with less than it had', async () => {
  const agent = (turns: number) => async () => {
    const done: string[] = []
    let summary = ''
    for (let turn = 1; turn <= turns; turn += 1) {
      const { text } = await read(`part ${turn}`)
      done.push(text)
      if (turn === 4) summary = 'All four.'
    }
    return await commit({ summary, done, at: Math.floor(Date.now() / 1000) })
  }
  expect(await firstOf(agent(4), agent(2))).toEqual(thrice('missing-call at 3 read'))
})

it('takes a call that is like none to come for one more', async () => {
  const agent = (early: boolean) => async () => {
    if (early) await send({ to: 'Al', subject: 'x', text: 'Hello.' })
    const { text, id } = await read('a')
    return await send({ to: 'Jo', subject: id, text })
  }
  expect(await firstOf(agent(false), agent(true))).toEqual(thrice('unexpected-call after 0 send'))
})

it('takes a turn that is more like the one before for one more', async () => {
  const agent = (again: boolean) => async () => {
    const messages: Message[] = [
      { role: 'system', content: 'You talk.' },
      { role: 'user', content: 'Tea?' },
    ]
    const content = await chat(messages)
    if (again) await chat([...messages, { role: 'user', content: 'Sure?' }])
    const { text } = await read('a')
    return await chat([...messages, { role: 'assistant', content }, { role: 'user', content: text }])
  }
  expect(await firstOf(agent(false), agent(true))).toEqual(thrice('unexpected-call after 1 openai.chat'))
})

it('names a stream that was left early by what follows from it', async () => {
  const agent = (most: number) => async () => {
    const pieces: string[] = []
    const stream = await client.chat.completions.create({ model: 'gpt-4.1', stream: true, messages: [{ role: 'user', content: 'Tea?' }] })
    const [kept] = stream.tee()
    for await (const { choices } of kept) {
      pieces.push(choices[0]?.delta.content ?? '')
      if (pieces.length === most) break
    }
    return await send({ to: 'Jo', subject: 'Tea', kind: 'letter', text: pieces.join('') })
  }
  expect(await firstOf(agent(Infinity), agent(3))).toEqual(thrice('input at 2 send'))
})

it('judges a call that is not awaited when the run is over', async () => {
  const agent = (extra: boolean) => async () => {
    await read('a')
    if (extra) void send({ to: 'Jo', subject: 'b', text: 'Hel' }).catch(() => undefined)
    return 'done'
  }
  const both = async (): Promise<string> => {
    await agent(false)()
    await read('b')
    await send({ to: 'Jo', subject: 'b', text: 'Hello.' })
    return 'done'
  }
  expect((await firstOf(both, agent(true)))[0]).toBe('missing-call at 2 read')
})

it('judges a call that is not awaited even if all recorded calls were made', async () => {
  const agent = (extra: boolean) => async () => {
    const { id } = await read('a')
    if (extra) void send({ to: 'Jo', subject: id, text: 'Hel' }).catch(() => undefined)
    await read('b')
    await send({ to: 'Jo', subject: id, text: 'Hello.' })
    return 'done'
  }
  expect(await firstOf(agent(false), agent(true))).toEqual(thrice('unexpected-call after 1 send'))
})

it('compares a call that drops an argument with the one that is due, though a later one differs in drawn values only', async () => {
  const check = tool('check', { effect: 'read' }, async (_args: object) => (await pause(2), 'passed'))
  const agent = (drops: boolean) => async () => {
    for (const only of ['a', undefined, undefined]) {
      await check({ ...(only === undefined || drops ? {} : { only }), at: new Date().toISOString(), id: crypto.randomUUID() })
      await read('a')
    }
    return 'done'
  }
  const { trace } = await recordRun(agent(false))
  expect((await replay(trace, agent(true))).divergences[0]).toMatchObject({ cause: 'input', step: 1, parts: ['args'] })
})
