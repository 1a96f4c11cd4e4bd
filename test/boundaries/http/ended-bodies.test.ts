import { PassThrough, Readable } from 'node:stream'
import { request } from 'undici'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { recordRun } from '../../support/record-run.ts'

const server = await listen(async ({ headers }, response) => {
  const framing = [headers['content-length'], headers['transfer-encoding']]
  response.end(JSON.stringify(framing))
})
afterAll(() => server.close())

const bodies: Readonly<Record<string, () => Readable>> = {
  'a PassThrough that has ended': () => {
    const body = new PassThrough()
    body.end('data')
    return body
  },
  'a Readable of one buffer': () => Readable.from(Buffer.from('data'), { objectMode: false }),
  'a Readable that was pushed and ended': () => {
    const body = new Readable({ read: () => undefined })
    body.push('da')
    body.push('ta')
    body.push(null)
    return body
  },
  'a Readable that goes on': () => Readable.from(['da', 'ta']),
}

it.each(Object.entries(bodies))('sends %s with the framing that it has without a recorder', async (_name, body) => {
  const agent = async (): Promise<unknown> => await (await request(server.url, { method: 'POST', body: body() })).body.json()
  const plain = await agent()
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual(plain)
  await expectClean(trace, agent)
})
