import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { WebSocket as WsSocket } from 'ws'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { type Client, watch } from './client-events.ts'
import { clients, openGlobal } from './clients.ts'
import { echo, listen, type Serve, textOf } from './listen.ts'

type Agent = (url: string) => Promise<unknown>

/** Sends texts at once, and waits for as many answers. */
function sendAll(open: (url: string) => Client, texts: readonly string[]): Agent {
  return async (url) => {
    const { client, events, next } = watch(open(url))
    await next('open')
    for (const text of texts) client.send(text)
    while (events.length <= texts.length) await next('message')
    client.close()
    await next('close')
    return texts.length
  }
}

/** Asks for what the server says back, one after the other or both at once. */
function ask(isAtOnce: boolean): Agent {
  return async (url) => {
    const socket = new WsSocket(url)
    await once(socket, 'open')
    const say = async (text: string): Promise<string> => {
      const { promise, resolve } = Promise.withResolvers<string>()
      socket.on('message', (data) => (textOf(data) === text ? resolve(text) : undefined))
      socket.send(text)
      return await promise
    }
    const answers = isAtOnce ? await Promise.all([say('a'), say('b')]) : [await say('a'), await say('b')]
    socket.close()
    await once(socket, 'close')
    return answers
  }
}

/** Says numbers, with pauses in between, so that each arrives by itself. */
export const count: Serve = (socket) => void countTo(5, socket)

async function countTo(end: number, socket: WsSocket): Promise<void> {
  for (let number = 0; number < end; number += 1) {
    socket.send(String(number))
    await wait(60)
  }
  socket.close(1000)
}

export const refund: () => Promise<string> = tool('refund', {}, async () => 'refunded')

export function refundAt(number: string, then: (client: Client) => unknown): Agent {
  return async (url) => {
    const { client, next } = watch(openGlobal(url))
    client.addEventListener('message', ({ data }: { readonly data: unknown }) => (data === number ? void then(client) : undefined))
    await next('close')
    return 'done'
  }
}

/** Tests that another order of calls and messages is red, and that the recorded one holds in so many replays. */
export function testOrder(times: number, tried: typeof clients = clients, ledTo = 3): void {
  /** Records one agent, and replays another. Returns what the verdict is. */
  async function causesOf(
    recorded: Agent,
    changed: Agent,
    serve: Serve = echo,
  ): Promise<{ readonly cause: string; readonly step: number }[]> {
    const server = await listen(serve)
    const { trace } = await recordRun(() => recorded(server.url))
    await server.stop()
    for (let time = 0; time < times; time += 1) await expectClean(trace, () => recorded(server.url))
    const { divergences } = await replay(trace, () => changed(server.url), { onDivergence: 'continue' })
    return divergences.filter(({ consequence }) => !consequence).map(({ cause, step }) => ({ cause, step }))
  }

  it.each(tried)('is red for messages that %s sends in another order', async (_name, open) => {
    const found = await causesOf(sendAll(open, ['a', 'b', 'c']), sendAll(open, ['c', 'b', 'a']))
    expect(found[0]).toMatchObject({ cause: 'order', step: 4 })
  })

  it('is red for a message that no longer waits for the answer to the one before', async () => {
    expect(await causesOf(ask(false), ask(true))).toContainEqual({ cause: 'order', step: 3 })
  })

  it('is red for an agent that no longer waits for an acknowledgement before it closes', async () => {
    const agent =
      (isPatient: boolean): Agent =>
      async (url) => {
        const { client, next } = watch(openGlobal(url))
        await next('open')
        const acknowledged = next('message')
        client.send('save')
        if (isPatient) await acknowledged
        client.close()
        await next('close')
        return 'saved'
      }
    expect(await causesOf(agent(true), agent(false))).toContainEqual({ cause: 'order', step: 3 })
  })

  const leadsTo: readonly (readonly [name: string, then: (client: Client) => unknown, ifLate: string])[] = [
    ['a tool', () => refund(), 'order'],
    ['a message', (client: Client) => client.send('ack'), 'order'],
    // By then, the server has closed as the recorded agent asked for.
    ['a close', (client: Client) => client.close(4100), 'missing-call'],
  ]
  it.each(leadsTo.slice(0, ledTo))('is red where another message leads to %s', async (_name, then, ifLate) => {
    for (const [number, cause] of [
      ['1', 'order'],
      ['3', ifLate],
    ] as const) {
      const found = await causesOf(refundAt('2', then), refundAt(number, then), count)
      expect(found[0]).toMatchObject({ cause, step: 2 })
    }
  })

  it('holds where calls follow from something else than the messages between them', async () => {
    const agent: Agent = async (url) => {
      const { client, next } = watch(openGlobal(url))
      await next('open')
      for (let time = 0; time < 4; time += 1) {
        await readFile(new URL(import.meta.url))
        client.send('read')
        await wait(40)
        await refund()
      }
      await next('close')
      return 'done'
    }
    const server = await listen(count)
    const { trace } = await recordRun(() => agent(server.url))
    await server.stop()
    for (let time = 0; time < times; time += 1) await expectClean(trace, () => agent(server.url))
  })
}
