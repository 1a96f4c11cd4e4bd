import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { startProvider } from '../../examples/world/provider.ts'
import { replay } from '../../src/replay/replay.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

let asked = 0
const status = tool(
  'job_status',
  { effect: 'read' },
  async (_job: { id: string; note?: string }) => ['queued', 'running', 'done'][asked++ % 3],
)
const poll = external('poll', async (job: string) => `${job} ${(asked += 1)}`)

const server = await listen(async (_request, response) => void response.end(String((asked += 1))))
afterAll(() => server.close())

const upload = async (file: string): Promise<string> => {
  const form = new FormData()
  form.append('file', new File([file], `${file}.txt`))
  return (await fetch(server.url, { method: 'POST', body: form })).text()
}

it('gives the same tool with the same arguments its answers in their order', async () => {
  asked = 0
  const agent = async (): Promise<unknown[]> => [await status({ id: 'job' }), await status({ id: 'job' }), await status({ id: 'job' })]
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual(['queued', 'running', 'done'])
  await expectClean(trace, agent)
})

it('gives equal calls made at once their answers in their order, between others', async () => {
  const agent = (): Promise<unknown[]> => Promise.all([poll('a'), poll('b'), poll('a'), poll('a'), poll('b')])
  const { trace } = await recordRun(agent)
  await expectClean(trace, agent)
})

it('gives equal calls their answers in their order where others of that name are made first', async () => {
  const seen: string[][] = []
  const agent = (jobs: readonly string[]) => async (): Promise<void> => {
    seen.push(await Promise.all(jobs.map((job) => poll(job))))
  }
  const { trace } = await recordRun(agent(['a', 'b', 'a', 'b', 'b']))
  const run = await replay(trace, agent(['b', 'b', 'a', 'b', 'a']))
  expect(run.divergences).toEqual([])
  const [[a1, b1, a2, b2, b3] = []] = seen
  expect(seen[1]).toEqual([b1, b2, a1, b3, a2])
})

it('answers one more of an equal call with none of the others’ answers', async () => {
  asked = 0
  const { trace } = await recordRun(async () => [await status({ id: 'job' }), await status({ id: 'job' })])
  const run = await replay(trace, async () => [await status({ id: 'job' }), await status({ id: 'job' }), await status({ id: 'job' })])
  expect(run.divergences).toMatchObject([{ cause: 'unexpected-call', step: 2, position: 'after', name: 'job_status' }])
})

it('answers an equal call less by the ones before it, and names the last as missing', async () => {
  asked = 0
  const { trace } = await recordRun(async () => [await status({ id: 'job' }), await status({ id: 'job' })])
  const run = await replay(trace, async () => [await status({ id: 'job' })], { onDivergence: 'continue' })
  expect(run.divergences[0]).toMatchObject({ cause: 'missing-call', step: 2 })
  expect(run.outcome).toMatchObject({ output: ['queued'] })
})

it('knows uploads by their parts, in whatever order they are sent', async () => {
  const both = (files: readonly string[]) => async (): Promise<unknown[]> => Promise.all(files.map(upload))
  const { trace, output } = await recordRun(both(['a', 'b']))
  await expectClean(trace, both(['a', 'b']))
  const run = await replay(trace, both(['b', 'a']))
  expect(run.outcome).toMatchObject({ output: output.toReversed() })
})

it('ranks the nearest recorded calls by how little differs, and says in what', async () => {
  const { trace } = await recordRun(async () => {
    await status({ id: 'job-1', note: 'one' })
    await status({ id: 'job-2', note: 'two' })
    await status({ id: 'job-3', note: 'two' })
  })
  const run = await replay(
    trace,
    async () => {
      await status({ id: 'job-1', note: 'one' })
      await status({ id: 'job-2', note: 'two' })
      await status({ id: 'job-3', note: 'two' })
      await status({ id: 'job-4', note: 'two' })
    },
    { tools: 'stub' },
  )
  expect(run.divergences).toMatchObject([
    {
      cause: 'unexpected-call',
      nearest: [
        { step: 2, differences: [{ path: 'args.id', expected: 'job-2', received: 'job-4' }] },
        { step: 3, differences: [{ path: 'args.id', expected: 'job-3', received: 'job-4' }] },
        { step: 1, differences: [{ path: 'args.id' }, { path: 'args.note', expected: 'one', received: 'two' }] },
      ],
    },
  ])
})

it('never takes a tool-call id for a key, where one id stands for several calls', async () => {
  const provider = await startProvider({ script: () => ({ text: 'ok' }) })
  const base = provider.openaiBaseUrl
  const call = (id: string, city: string): object => ({
    id,
    type: 'function',
    function: { name: 'weather', arguments: JSON.stringify({ city }) },
  })
  const told = (id: string, content: string): object => ({ role: 'tool', tool_call_id: id, content })
  /** Two conversations that are the same but for who is told what, each asked with the ids given. */
  const agent = (first: string, second: string, order: readonly number[]) => async (): Promise<string[]> => {
    const conversations = [
      [
        { role: 'assistant', tool_calls: [call(first, 'Oslo')] },
        told(first, 'cold'),
        { role: 'assistant', tool_calls: [call(second, 'Rome')] },
        told(second, 'warm'),
      ],
      [
        { role: 'assistant', tool_calls: [call(first, 'Oslo')] },
        told(first, 'warm'),
        { role: 'assistant', tool_calls: [call(second, 'Rome')] },
        told(second, 'cold'),
      ],
    ]
    const answers: string[] = []
    for (const index of order) {
      const body = JSON.stringify({ model: 'gpt-4.1', messages: conversations[index] })
      const response = await fetch(`${base}/chat/completions`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
      answers.push(((await response.json()) as { id: string }).id)
    }
    return answers
  }
  const { trace, output } = await recordRun(agent('call_1', 'call_1', [0, 1]))
  await provider.close()
  expect(output[0]).not.toBe(output[1])
  for (const [first, second] of [
    ['call_1', 'call_1'],
    ['x', 'y'],
    ['y', 'x'],
  ] as const) {
    const run = await replay(trace, agent(first, second, [0, 1]))
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
  expect((await replay(trace, agent('x', 'y', [1, 0]))).divergences[0]).toMatchObject({ cause: 'order' })
})
