import { once } from 'node:events'
import http from 'node:http'
import { expect, it } from 'vitest'
import { WebSocket as WsSocket } from 'ws'
import { recordBeside } from '../../support/record-beside.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { watch } from './client-events.ts'
import { clients, openWs } from './clients.ts'
import { echo, listen, type Serve } from './listen.ts'

type Agent = (url: string) => Promise<unknown>

/** Tests connections that fail, or end otherwise than by the agent, with so many replays of each recording. */
export function testFailures(times: number, tried: typeof clients = clients): void {
  async function expectReplays(agent: Agent, serve: Serve = echo): Promise<{ readonly output: unknown; readonly names: string[] }> {
    const server = await listen(serve)
    const { output, trace } = await recordBeside(() => agent(server.url))
    await server.stop()
    const before = server.connections
    for (let time = 0; time < times; time += 1) await expectClean(trace, () => agent(server.url))
    expect(server.connections).toBe(before)
    expect(rowsOf(trace, 'note')).toEqual([])
    const [{ name } = { name: '' }] = trace.steps
    return { output, names: trace.steps.map((step) => step.name.replace(name, '').trim()) }
  }

  it('replays a handshake that is refused, with the body that the agent reads', async () => {
    const { output, names } = await expectReplays(async (url) => {
      const socket = new WsSocket(`${url}/refuse`)
      const [, response] = (await once(socket, 'unexpected-response')) as [http.ClientRequest, http.IncomingMessage]
      let body = ''
      for await (const piece of response) body += String(piece)
      return [response.statusCode, response.headers['content-type'], body, socket.readyState]
    })
    expect(output).toEqual([401, 'application/json', '{"error":"no such key"}', 0])
    expect(names).toEqual([''])
  })

  it.each(tried)('replays a handshake that is refused to %s', async (_name, open) => {
    const { output } = await expectReplays(async (url) => {
      const { events, next } = watch(open(`${url}/refuse`))
      await next('error')
      return events[0]
    })
    expect(output).toBe('error')
  })

  it.each(tried)('replays a server that closes %s, and one that cuts it', async (_name, open) => {
    for (const isCut of [false, true]) {
      const { output, names } = await expectReplays(
        async (url) => {
          const { client, events, next } = watch(open(url))
          await next('open')
          client.send('end')
          await next('close')
          return events
        },
        (socket) => socket.on('message', () => (isCut ? socket.terminate() : socket.close(4001, 'enough'))),
      )
      expect((output as unknown[]).at(-1)).toEqual(isCut ? ['close', 1006, '', false] : ['close', 4001, 'enough', true])
      expect(names).toEqual(['', 'send'])
    }
  })

  it.each(tried)('replays %s when it is given up before it is open', async (_name, open) => {
    const { output } = await expectReplays(async (url) => {
      const { client, events, next } = watch(open(`${url}/silent`))
      setTimeout(() => client.close(), 20)
      await next('error')
      return events[0]
    })
    expect(output).toBe('error')
  })

  // That of undici 6 emits no end of such a connection.
  it.each(tried.filter(([name]) => !name.startsWith('undici 6')))('replays %s when it is closed at once', async (_name, open) => {
    const server = await listen(echo)
    const agent = async (): Promise<unknown> => {
      const { client, events, next } = watch(open(server.url))
      const closed = next('close')
      client.close()
      await closed
      return events.at(-1)
    }
    const { output, trace } = await recordRun(agent)
    expect(output).toEqual(['close', 1006, '', false])
    for (let time = 0; time < times; time += 1) await expectClean(trace, agent)
    // It may have connected in the meantime.
    await new Promise((resolve) => setTimeout(resolve, 30))
    await server.stop()
  })

  it('replays pings of both sides, pongs and a connection that the agent cuts', async () => {
    const { output, names } = await expectReplays(
      async (url) => {
        const events: unknown[] = []
        const socket = new WsSocket(url)
        socket.on('ping', (data) => events.push(['ping', String(data)]))
        socket.on('pong', (data) => events.push(['pong', String(data)]))
        await once(socket, 'ping')
        socket.ping('are you there')
        await once(socket, 'pong')
        socket.terminate()
        const [code] = (await once(socket, 'close')) as [number]
        return [...events, code]
      },
      (socket) => socket.ping('hello'),
    )
    expect(output).toEqual([['ping', 'hello'], ['pong', 'are you there'], 1006])
    expect(names).toEqual(['', 'ping', 'terminate'])
  })

  it.each(tried)('replays what the server sends by itself to %s, together with the answer to its handshake', async (_name, open) => {
    const { output } = await expectReplays(
      async (url) => {
        const { client, events, next } = watch(open(url))
        await next('open')
        while (events.at(-1) !== 'last') await next('message')
        client.close()
        await next('close')
        return events
      },
      (socket) => {
        for (const text of ['one', 'two', 'three']) socket.send(text)
        setTimeout(() => socket.send('last'), 20)
      },
    )
    expect((output as unknown[]).slice(1, 5)).toEqual(['one', 'two', 'three', 'last'])
  })

  it('keeps the order of messages, timers and other requests', async () => {
    const server = await listen((socket) => {
      for (const delay of [5, 25, 45]) setTimeout(() => socket.send(`after ${delay}`), delay)
    })
    const agent = async (): Promise<unknown> => {
      const order: unknown[] = []
      const { client, events, next } = watch(openWs(server.url))
      client.addEventListener('message', ({ data }: { data: unknown }) => order.push(data))
      await next('open')
      const timer = setInterval(() => order.push('tick'), 10)
      const plain = new Promise((resolve) => setTimeout(resolve, 15)).then(() => fetch(server.url.replace('ws', 'http')))
      await plain.then(() => order.push('fetched'))
      while (events.length < 4) await next('message')
      clearInterval(timer)
      client.close()
      await next('close')
      return order
    }
    const { trace } = await recordRun(agent)
    await server.stop()
    for (let time = 0; time < times; time += 1) await expectClean(trace, agent)
  })

  it('replays a request of an agent of its own', async () => {
    const agent = new http.Agent({ keepAlive: true })
    const { output } = await expectReplays(async (url) => {
      const { client, events, next } = watch(new WsSocket(url, { agent }) as never)
      await next('open')
      client.send('hello')
      await next('message')
      client.close(1000)
      await next('close')
      return events
    })
    expect(output).toEqual([['open', ''], 'hello', ['close', 1000, '', true]])
    agent.destroy()
  })
}
