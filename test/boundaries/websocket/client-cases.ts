import { expect, it } from 'vitest'
import { recordBeside } from '../../support/record-beside.ts'
import { rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { type Client, watch } from './client-events.ts'
import { clients } from './clients.ts'
import { echo, listen } from './listen.ts'

type Open = (url: string, protocols?: string[]) => Client

/** Talks over a connection: texts, JSON, bytes, long and short. */
function talk(open: Open, url: string): () => Promise<unknown> {
  return async () => {
    const { client, events, next } = watch(open(`${url}/chat?room=1`, ['one', 'two']))
    await next('open')
    const sent = ['hello', JSON.stringify({ type: 'ask', text: 'ä' }), new Uint8Array([0, 255, 1]), 'x'.repeat(70_000), '']
    for (const message of sent) {
      client.send(message)
      await next('message')
    }
    client.close(1000, 'done')
    await next('close')
    return events.map((event) => (typeof event === 'string' && event.length > 100 ? event.length : event))
  }
}

/** Tests that each client talks in a replay as it did when it was recorded, so many times. */
export function testTalks(times: number): void {
  it.each(clients)('records and replays %s', async (_name, open) => {
    for (const options of [{}, { perMessageDeflate: true }]) {
      const server = await listen(echo, options)
      const agent = talk(open, server.url)
      const { output, trace } = await recordBeside(agent)
      await server.stop()
      expect(output).toMatchObject([
        ['open', 'one'],
        'hello',
        '{"type":"ask","text":"ä"}',
        [0, 255, 1],
        70_000,
        '',
        ['close', 1000, 'done', true],
      ])
      const name = `websocket ${server.url.slice('ws://'.length)}/chat`
      expect(trace.steps.map((step) => [step.name, JSON.stringify(step.input).slice(0, 60)])).toEqual([
        [name, '{"query":{"room":"1"},"protocols":["one","two"]}'],
        [`${name} send`, '"hello"'],
        [`${name} send`, '{"type":"ask","text":"ä"}'],
        [`${name} send`, '{"0":0,"1":255,"2":1}'],
        [`${name} send`, `"${'x'.repeat(59)}`],
        [`${name} send`, '""'],
        [`${name} close`, '{"code":1000,"reason":"done"}'],
      ])
      expect(rowsOf(trace, 'note')).toEqual([])
      const before = server.connections
      for (let time = 0; time < times; time += 1) await expectClean(trace, agent)
      expect(server.connections).toBe(before)
    }
  })
}
