import { readdir } from 'node:fs/promises'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { renderDivergences, reportDivergences } from '../../src/divergence/create-report.ts'
import { toJsonReport } from '../../src/divergence/report/json-report.ts'
import { reportSchema } from '../../scripts/report-schema.ts'
import { toMarkdown } from '../../src/divergence/report/markdown.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { replay } from '../../src/replay/replay.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { tool } from '../../src/run/tool.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const refunds = 'refunds@shop.example'
const account = '4111 1111 1111 1111'
const hotline = '+49 170 1234567'
const key = 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1'

const send = tool('send', { effect: 'write' }, async (mail: { to: string; cc?: string }) => ({ sent: mail.to.length }))
const book = tool('book', { effect: 'write' }, async (_booking: object) => ({ booked: true }))

const server = await listen(async (_request, response) => void response.end('ok'))
afterAll(() => server.close())

async function record<Input>(agent: (input: Input) => unknown, input: Input): Promise<Trace> {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs') })
  await recorder.run({ agent: 'mailer', input }, agent)
  await recorder.close()
  const [name = ''] = (await readdir(directory.resolve('runs'))).filter((each) => each !== 'index')
  return await readTrace(directory.resolve('runs', name))
}

it('lists everything that was compared only as a stand-in, with its place, its kind and both stand-ins', async () => {
  const agent = async ({ customer }: { customer: string }): Promise<object> => {
    await send({ to: customer, cc: refunds })
    await book({ account, key })
    await (await fetch(`${server.url}/notify?to=${encodeURIComponent(refunds)}`, { method: 'POST', body: `From: ${refunds}` })).text()
    checkpoint('sent', { to: customer, from: refunds })
    return { customer, call: hotline }
  }
  const run = await replay(await record(agent, { customer: 'ann@firm.de' }), agent)
  expect(run.divergences).toEqual([])
  const address = { kind: 'email', expected: expect.any(String) as string, received: expect.any(String) as string }
  expect(run.standIns).toEqual([
    { place: { step: 1 }, path: 'args.cc', ...address },
    { place: { step: 2 }, path: 'args.account', kind: 'card', expected: '4111 9999 0000 0010', received: '4111 9999 0000 0028' },
    { place: { step: 2 }, path: 'args.key', kind: 'secret', expected: expect.any(String), received: expect.any(String) },
    { place: { step: 3 }, path: 'query.to', ...address },
    { place: { step: 3 }, path: 'body', ...address },
    { place: { checkpoint: 'sent' }, path: 'state.from', ...address },
    { place: 'outcome', path: 'output.call', kind: 'phone', expected: '+49 000 0000001', received: '+49 000 0000002' },
  ])
})

it('says in every report what was compared only as a stand-in', async () => {
  const agent = async ({ customer }: { customer: string }, total = 5): Promise<void> => {
    await send({ to: customer, cc: refunds })
    await send({ to: refunds })
    await book({ total })
  }
  const trace = await record(agent, { customer: 'ann@firm.de' })
  const run = await replay(trace, (input: { customer: string }) => agent(input, 6))
  const note =
    'Note: 1 value was compared only as a stand-in, so another value would have passed: an e-mail address at args.cc of step 1 and 1 more place.'
  expect(renderDivergences(run, { color: false, width: 200 }).split('\n')).toContain(note)
  const report = reportDivergences(run)
  expect(toMarkdown(report)).toContain(note.replaceAll('-', String.raw`-`))
  const json: unknown = JSON.parse(JSON.stringify(toJsonReport(report)))
  expect(reportSchema.parse(json)).toMatchObject({ notes: [note], standIns: run.standIns })
  expect(run.standIns).toHaveLength(2)
})

it('lists nothing where what came in was passed on, and nothing that differs', async () => {
  const agent = async ({ customer }: { customer: string }): Promise<object> => ({ reply: await send({ to: customer }), customer })
  const trace = await record(agent, { customer: 'ann@firm.de' })
  expect((await replay(trace, agent)).standIns).toEqual([])
  const changed = await replay(trace, async () => await agent({ customer: refunds }))
  expect(changed.divergences[0]).toMatchObject({ cause: 'input', step: 1 })
  expect(changed.standIns).toEqual([])
})

it('lists what was equal beside what differs, and not the other', async () => {
  const agent = async ({ customer }: { customer: string }): Promise<void> => {
    await send({ to: refunds })
    await send({ to: customer })
  }
  const trace = await record(agent, { customer: 'ann@firm.de' })
  const run = await replay(trace, async () => await agent({ customer: 'desk@shop.example' }))
  expect(run.divergences[0]).toMatchObject({ cause: 'input', step: 2 })
  expect(run.standIns.map(({ place, path }) => [place, path])).toEqual([[{ step: 1 }, 'args.to']])
})

it('leaves out what is ignored', async () => {
  const agent = async (): Promise<unknown> => await send({ to: 'desk', cc: refunds })
  const run = await replay(await record(agent, {}), agent, { ignore: ['args.cc'] })
  expect(run.standIns).toEqual([])
})
