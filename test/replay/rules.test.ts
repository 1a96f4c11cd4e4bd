import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { renderReport } from '../../src/divergence/create-report.ts'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayOptions } from '../../src/replay/contract/replay-options.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'

const server = await listen(async (_request, response) => void response.end('{"ok":true}'))
afterAll(() => server.close())

const find = tool('find', { effect: 'read' }, async ({ id }: { id: string; request?: string }) => ({ id }))

/** Below a boundary, where no replay sets chance to what was recorded: a new one each time. */
let nonce = 0

/** Sends a number that is another in each run to every place that is compared. */
async function agent(): Promise<object> {
  nonce += 1
  const order = await find({ id: 'ord_1', request: `r${nonce}` })
  const form = new FormData()
  form.append('note', `n${nonce}`)
  await fetch(`${server.url}/search?page=1&nonce=${nonce}`, { headers: { 'idempotency-key': `k${nonce}` } })
  await fetch(server.url, { method: 'POST', body: JSON.stringify({ items: [{ id: 1, nonce }] }) })
  await fetch(server.url, { method: 'POST', body: new URLSearchParams({ amount: '20', nonce: String(nonce) }) })
  await fetch(server.url, { method: 'POST', body: form })
  checkpoint('found', { order, nonce })
  return { order, nonce }
}

const ignore = [
  'args.request',
  'query.nonce',
  'headers["idempotency-key"]',
  'body.items[*].nonce',
  'body.nonce',
  'body[0].content',
  'state.nonce',
  'output.nonce',
]

const { trace } = await recordRun(agent)

it('holds a run that differs in nothing but what is ignored', async () => {
  const run = await replay(trace, agent, { ignore })
  expect(run.divergences).toEqual([])
  expect(run.unmatchedPaths).toEqual([])
  expect(run.hash).toBe(trace.hash)
  expect(run.outcome).toMatchObject({ status: 'returned', output: { nonce } })
})

it.each(ignore)('finds what differs at %s where it is not ignored, and prints that path', async (path) => {
  const run = await replay(trace, agent, { ignore: ignore.filter((other) => other !== path), onDivergence: 'continue' })
  const [first] = run.divergences
  expect(first?.differences.map((difference) => difference.path.replaceAll(/(?<=items)\[\d+\]/g, '[*]'))).toEqual([path])
})

it('holds a run that differs in nothing once both sides are normalized', async () => {
  const note = tool('note', {}, async (text: string) => text.length)
  const write = (tags: string[], text: string) => async (): Promise<object> => {
    await note(text)
    checkpoint('written', { tags })
    return { at: text }
  }
  const { trace: written } = await recordRun(write(['a', 'b'], `  ${randomUUID()}, on 2026-01-31 `))
  const options: ReplayOptions = {
    normalize: {
      args: (text: string) =>
        text
          .replaceAll(/[\da-f-]{36}/g, 'id')
          .replace(/\d{4}-\d\d-\d\d/, 'day')
          .trim(),
      'state.tags': 'sorted',
      output: (output: { at: string }) => output.at.length > 0,
    },
  }
  const live = write(['b', 'a'], `${randomUUID()}, on 2026-11-21`)
  const run = await replay(written, live, options)
  expect([run.divergences, run.unmatchedPaths, run.hash === written.hash]).toEqual([[], [], true])
  expect((await replay(written, live)).divergences[0]).toMatchObject({ cause: 'input', step: 1 })
  const other = await replay(written, write(['b', 'c'], `${randomUUID()}, on 2026-11-21`), options)
  expect(other.divergences).toMatchObject([{ cause: 'checkpoint', differences: [{ path: 'state.tags[0]' }, { path: 'state.tags[1]' }] }])
})

it('names the paths that match nothing, and does not go red for them', async () => {
  const { trace: quiet } = await recordRun(() => find({ id: 'ord_1' }))
  const options = { ignore: ['args.requestId', 'args.id', 'messages[*].id'], normalize: { 'args.items[0]': 'date' } } as const
  const run = await replay(quiet, () => find({ id: 'ord_1' }), options)
  expect([run.divergences, run.unmatchedPaths]).toEqual([[], ['args.requestId', 'messages[*].id', 'args.items[0]']])
  const red = await replay(quiet, async () => 'nothing', options)
  expect(renderReport(red, { color: false, width: 120 })).toContain(
    'Note: the path messages[*].id of ignore or normalize matches nothing in this run.\n',
  )
})

it('does not stay green on what a normalizer could not read', async () => {
  const { trace: quiet } = await recordRun(() => find({ id: 'ord_1' }))
  const failing = {
    normalize: {
      'args.id': () => {
        throw new Error('no')
      },
    },
  }
  await expect(replay(quiet, () => find({ id: 'ord_2' }), failing)).rejects.toMatchObject({
    code: 'GOLDENRUN_NORMALIZE',
    message: expect.stringContaining('The normalizer of "args.id" threw: Error: no.'),
  })
})

it('lets a normalizer draw from clock and chance without the run noticing', async () => {
  const draw = async (id: string): Promise<number[]> => {
    // In one tick: a draw of the normalizer's would take the place of the agent's.
    const found = find({ id })
    const drawn = [Math.random(), Date.now()]
    await found
    return drawn
  }
  const { trace: drawn } = await recordRun(() => draw('a'))
  const run = await replay(drawn, () => draw('b'), { normalize: { 'args.id': () => [Math.random(), Date.now()].length } })
  expect(run.divergences).toEqual([])
})

it.each([
  [
    { ignore: ['args['] },
    'replay: the option "ignore" has to hold paths like args.items[*]["odd key"]: "args[" cannot be parsed from "[" on.',
  ],
  [
    { ignore: ['model'] },
    'replay: the option "ignore" cannot hold "model": allow a different model by name, { allowModelDrift: [{ from, to }] }.',
  ],
])('refuses %j', async (options, message) => {
  await expect(replay(trace, agent, options)).rejects.toThrow(message)
})
