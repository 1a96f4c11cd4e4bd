import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, expect, it } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { renderDivergences } from '../../src/divergence/create-report.ts'
import { replay } from '../../src/replay/replay.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'

const provider = await startProvider({ script: [{ text: 'A summary of it.' }, { text: 'The answer.' }] })
afterAll(() => provider.close())

const openai = new OpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl })
const anthropic = new Anthropic({ apiKey: 'sk-test', baseURL: provider.anthropicBaseUrl })
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))
const search = tool('search', { effect: 'read' }, async (query: string) => (await pause(), `Pages on ${query}. `.repeat(20)))

async function ask(system: string, content: string): Promise<string> {
  const messages = [
    { role: 'system' as const, content: system },
    { role: 'user' as const, content },
  ]
  return (await openai.chat.completions.create({ model: 'gpt-4.1', messages })).choices[0]?.message.content ?? ''
}

/** So many at a time, each the next as soon as one is through. */
async function searchAll(queries: readonly string[], atOnce: number): Promise<string[]> {
  const [found, left]: [string[], string[]] = [[], [...queries]]
  const work = async (): Promise<void> => {
    for (let query = left.shift(); query !== undefined; query = left.shift()) found.push(await search(query))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return found
}

async function reportOf(recorded: () => Promise<unknown>, edited: () => Promise<unknown>): Promise<string> {
  const { trace } = await recordRun(recorded)
  const run = await replay(trace, edited, { traceCallSites: true })
  return renderDivergences(run, { color: false, width: 110 }).replaceAll(trace.header.id, 'the-run')
}

/** What a report says happened: the paragraph behind the steps. */
const explanationOf = (report: string): string => report.split('\n\n')[2]?.split('\n')[0] ?? ''

it('names a skipped summariser', async () => {
  const agent = (summarises: boolean) => async (): Promise<unknown> => {
    const pages = await search('tea')
    return await ask('Answer.', summarises ? await ask('Summarise.', pages) : pages)
  }
  expect(await reportOf(agent(true), agent(false))).toMatchInlineSnapshot(`
    "Failed to replay "the-run": step 2 diverged (missing call).

        1  tool      search("tea") → "Pages on tea. Pages on tea. Pages on tea. Pages on tea. Pages on tea. Pages…
    >   2  model     openai.chat (gpt-4.1, 1 message) → "A summary of it."

    Step 2 was skipped; the agent went on with step 3, whose messages[1].content has the result of step 1 instead of that of step 2.
        expected  openai.chat (gpt-4.1, 1 message)
        received  no such call: it went on with step 3, openai.chat (gpt-4.1, 1 message)
        at        test/divergence/stumbled-over.test.ts:23:41

    If the agent no longer has to make it, record the run again."
  `)
})

it('names a skipped tool whose result the next step was given', async () => {
  const outline = tool('outline', {}, async (pages: string) => `outline: ${pages.length} letters`)
  const agent = (outlines: boolean) => async (): Promise<unknown> => {
    const pages = await search('tea')
    return await ask('Answer.', outlines ? await outline(pages) : pages)
  }
  expect(explanationOf(await reportOf(agent(true), agent(false)))).toBe(
    'Step 2 was skipped; the agent went on with step 3, whose messages[1].content has the result of step 1 instead of that of step 2.',
  )
})

const pool = (atOnce: number) => async (): Promise<unknown> => {
  await search('start')
  return await searchAll(['a', 'b', 'c'], atOnce)
}

it('names how many steps were under way together, and are', async () => {
  expect(await reportOf(pool(3), pool(2))).toMatchInlineSnapshot(`
    "Failed to replay "the-run": step 4 diverged (order).

        1  tool      search("start") → "Pages on start. Pages on start. Pages on start. Pages on start. Pages on …
        2  tool      search("a") → "Pages on a. Pages on a. Pages on a. Pages on a. Pages on a. Pages on a. Pages…
        3  tool      search("b") → "Pages on b. Pages on b. Pages on b. Pages on b. Pages on b. Pages on b. Pages…
    >   4  tool      search("c") → "Pages on c. Pages on c. Pages on c. Pages on c. Pages on c. Pages on c. Pages…

    Steps 2–4 ran at the same time; now step 4 waits for step 2: 2 at once, recorded 3.
        expected  step 4 in its place
        received  step 4 later
        at        test/divergence/stumbled-over.test.ts:30:96

    If the new order is right, record the run again."
  `)
})

it.each([
  [3, 1, 'Steps 2–4 ran at the same time; now step 3 waits for step 2: 1 at once, recorded 3.'],
  [1, 3, 'Step 3 no longer waits for step 2: 3 at once, recorded 1.'],
  [2, 3, 'Step 4 no longer waits for step 2: 3 at once, recorded 2.'],
])('names %i at once that became %i', async (recorded, edited, explanation) => {
  expect(explanationOf(await reportOf(pool(recorded), pool(edited)))).toBe(explanation)
})

it('names the call that came too late where as many are under way as were', async () => {
  const write = tool('write', { effect: 'write' }, async (text: string) => text)
  const agent = (first: string, second: string) => async (): Promise<unknown> => [await write(first), await write(second)]
  expect(explanationOf(await reportOf(agent('a', 'b'), agent('b', 'a')))).toBe(
    'Step 1 came too late: the recorded run made it before step 2, but the agent did not.',
  )
})

const onDate = (form: (date: Date) => string) => async (): Promise<unknown> => await search(`on ${form(new Date(1795392000000))}`)
const isoDay = (date: Date): string => date.toISOString().slice(0, 10)

it('names the form of a date, be it the date of today', async () => {
  expect(
    await reportOf(
      onDate(isoDay),
      onDate((date) => date.toDateString()),
    ),
  ).toMatchInlineSnapshot(`
    "Failed to replay "the-run": step 1 diverged (input: args).

    >   1  tool      search("on 2026-11-23") → "Pages on on 2026-11-23. Pages on on 2026-11-23. Pages on on 2026-…

    The agent wrote the same date in a different format: \`2026-11-23\` became \`Mon Nov 23 2026\`.
        args
          expected  "on 2026-11-23"
          received  "on Mon Nov 23 2026"
        at        test/divergence/stumbled-over.test.ts:115:86

    To accept the new input, record the run again."
  `)
  const today = (form: (date: Date) => string) => async (): Promise<unknown> => await search(form(new Date()))
  expect(
    explanationOf(
      await reportOf(
        today(isoDay),
        today((date) => date.toDateString()),
      ),
    ),
  ).toMatch(/^The agent wrote the same date in a different format: `\d{4}-\d\d-\d\d` became `\w{3} \w{3} \d\d \d{4}`\.$/)
})

it('names the form of a time that is another unit, and of none that is another time in the same form', async () => {
  const at = (form: (time: number) => unknown) => async (): Promise<unknown> => await search(form(1795392000250) as string)
  expect(
    explanationOf(
      await reportOf(
        at(Number),
        at((time) => Math.floor(time / 1000)),
      ),
    ),
  ).toBe('The agent wrote the same date in a different format: `1795392000250` became `1795392000`.')
  const iso = (time: number): string => new Date(time).toISOString()
  expect(
    explanationOf(
      await reportOf(
        at(iso),
        at((time) => iso(time + 32)),
      ),
    ),
  ).toBe('The agent made this call with different arguments.')
})

it('says that arguments differ where the date is another, or something beside it', async () => {
  const other = onDate((date) => new Date(date.getTime() - 864e5).toDateString())
  expect(explanationOf(await reportOf(onDate(isoDay), other))).toBe('The agent made this call with different arguments.')
  const longer = onDate((date) => `${date.toDateString()}, about`)
  expect(explanationOf(await reportOf(onDate(isoDay), longer))).toBe('The agent made this call with different arguments.')
})

it('names the line of the agent that calls another provider', async () => {
  const recorded = async (): Promise<unknown> => await ask('Answer.', 'Tea?')
  const edited = async (): Promise<unknown> =>
    await anthropic.messages.create({ model: 'claude', max_tokens: 10, messages: [{ role: 'user', content: 'Tea?' }] })
  expect(await reportOf(recorded, edited)).toMatchInlineSnapshot(`
    "Failed to replay "the-run": the call before the first step diverged (unexpected call).

    >      model     anthropic.messages (claude, 1 message)

    The agent made a call that the recorded run did not make.
        expected  step 1, openai.chat (gpt-4.1, 1 message)
        received  anthropic.messages (claude, 1 message)
        at        test/divergence/stumbled-over.test.ts:179:30

    To give it an answer: replay('the-run', agent, { answers: { 'anthropic.messages': … } })
    Or, if the agent is right to make it, record the run again."
  `)
})

it('names the step that left room where several ended in the same millisecond', async () => {
  const { trace } = await recordRun(pool(3))
  const at = trace.steps.at(-1)?.settledAt ?? Number.NaN
  const rows = trace.rows.map((row) => (row.kind === 'return' && row.step > 1 ? { ...row, at } : row))
  const run = await replay({ ...trace, rows }, pool(2), { traceCallSites: true })
  expect(explanationOf(renderDivergences(run, { color: false, width: 110 }))).toBe(
    'Steps 2–4 ran at the same time; now step 4 waits for step 2: 2 at once, recorded 3.',
  )
})
