import { expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { compareRuns } from '../../../src/replay/compare/compare-runs.ts'
import { promote } from '../../../src/goldens/promote.ts'
import { replay } from '../../../src/replay/replay.ts'
import { readTrace } from '../../../src/replay/traces/read-trace.ts'
import { checkpoint } from '../../../src/run/checkpoint.ts'
import { external } from '../../../src/run/external.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'
import { recordCancel, recordRefundTwice } from '../../support/recordings.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'

const look = tool('look', { effect: 'read' }, async (id: string) => ({ id, status: 'packed' }))
const cancel = tool('cancel', { effect: 'write' }, async (id: string) => ({ id }))

/** A run of a small agent, whose tools answer by themselves. */
async function run(
  changes: { readonly id?: string; readonly again?: boolean; readonly cancels?: boolean; readonly reply?: string } = {},
): Promise<string> {
  const { id = 'ord_1', again = false, cancels = true, reply = 'done' } = changes
  const order = await look(id)
  if (again) await look(id)
  checkpoint('found', { order })
  if (cancels) await cancel(order.id)
  return reply
}

const record = async (changes?: Parameters<typeof run>[0]) => (await recordRun(() => run(changes))).trace

it.each([
  { what: 'an argument', changes: { id: 'ord_2' }, first: ['input', 1, 'at', 'look'] },
  { what: 'a call more', changes: { again: true }, first: ['unexpected-call', 1, 'after', 'look'] },
  { what: 'a call less', changes: { cancels: false }, first: ['missing-call', 2, 'at', 'cancel'] },
  { what: 'the outcome', changes: { reply: 'given up' }, first: ['outcome', 2, 'after', undefined] },
])('names $what as what differs between two recordings', async ({ changes, first }) => {
  const { divergences } = await compareRuns(await record(), await record(changes))
  const [divergence] = divergences
  expect([divergence?.cause, divergence?.step, divergence?.position, divergence?.name]).toEqual(first)
})

it('names the step that the world answered otherwise, and not the question that follows from it', async () => {
  let status = 'packed'
  const ask = external('warehouse', async (_id: string) => ({ status }))
  const agent = async (): Promise<unknown> => await cancel((await ask('ord_1')).status)
  const a = (await recordRun(agent)).trace
  status = 'sent'
  const { divergences } = await compareRuns(a, (await recordRun(agent)).trace)
  expect(divergences.map(({ cause, step, position, consequence }) => [cause, step, position, consequence])).toEqual([
    ['outcome', 1, 'at', false],
    ['input', 2, 'at', true],
    ['outcome', 2, 'at', true],
    ['outcome', 2, 'after', true],
  ])
  expect(divergences[0]?.differences).toEqual([{ path: 'output.status', expected: 'packed', received: 'sent' }])
})

it('does not count what two runs drew from clock and chance', async () => {
  const agent = async (): Promise<unknown> => {
    const token = { at: new Date().toISOString(), id: crypto.randomUUID(), nonce: Math.random() }
    checkpoint('drawn', token)
    return await tool('keep', {}, async (given: object) => given)(token)
  }
  const [a, b] = [(await recordRun(agent)).trace, (await recordRun(agent)).trace]
  expect(a.end?.output).not.toEqual(b.end?.output)
  expect((await compareRuns(a, b)).divergences).toEqual([])
})

it('compares what tools did in their bodies', async () => {
  await using server = await listen(async (_request, response) => void response.end('yes'))
  const fetching = (paths: readonly string[]) =>
    recordRun(() => tool('ask', {}, async () => Promise.all(paths.map(async (path) => (await fetch(`${server.url}${path}`)).text())))())
  const [one, same, other] = [await fetching(['/a']), await fetching(['/a']), await fetching(['/b'])]
  expect((await compareRuns(one.trace, same.trace)).divergences).toEqual([])
  expect((await compareRuns(one.trace, other.trace)).divergences[0]).toMatchObject({ cause: 'input', step: 2, parts: ['url'] })
})

it('says that a run breaks off, and calls nothing missing that would have come after', async () => {
  const whole = await record()
  const cut = { ...whole, rows: whole.rows.slice(0, -2), end: undefined } as unknown as typeof whole
  const [first, ...others] = (await compareRuns(whole, cut)).divergences
  expect(first).toMatchObject({ cause: 'outcome', received: { never: 'settled' } })
  expect(others).toEqual([])
})

it('takes names, ids, paths, traces and replays', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const [cancelled, refunded] = [await recordCancel('.goldenrun/runs'), await recordRefundTwice('.goldenrun/runs')]
  const { file } = await promote(await readTrace(cancelled), { name: 'cancel' })
  expect((await compareRuns('cancel', cancelled)).divergences).toEqual([])
  expect((await compareRuns(file, await readTrace(cancelled))).divergences).toEqual([])
  expect((await compareRuns('cancel', refunded, { store: '.goldenrun/runs' })).divergences[0]).toMatchObject({
    cause: 'unexpected-call',
    step: 1,
  })
  await expect(compareRuns('cancel', 'none')).rejects.toThrow('There is no golden trace "none"')
})

it('tells a replay as a trace that can be promoted and replayed, with the hash of the run', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const agent = async (): Promise<unknown> => {
    const at = Date.now()
    await new Promise((resolve) => setTimeout(resolve, 20))
    return [at, Math.random(), await run()]
  }
  const { trace } = await recordRun(agent)
  const replayed = await replay(trace, agent)
  expect(replayed.toTrace().hash).toBe(trace.hash)
  await promote(replayed.toTrace(), { name: 'again' })
  const again = await replay('again', agent)
  expect(again.divergences).toEqual([])
  expect(again.outcome).toEqual({ status: 'returned', output: trace.end?.output })
  expect(again.hash).toBe(trace.hash)
})

it('tells a run that was led elsewhere as a trace of where it went', async () => {
  const { trace } = await recordRun(() => run())
  const led = await replay(trace, () => run({ again: true }), { answers: { look: { id: 'ord_9', status: 'new' } } })
  const { steps, end } = led.toTrace()
  expect(steps.map(({ name, output }) => [name, output])).toEqual([
    ['look', { id: 'ord_1', status: 'packed' }],
    ['look', { id: 'ord_9', status: 'new' }],
    ['cancel', { id: 'ord_1' }],
  ])
  expect(end?.output).toBe('done')
})
