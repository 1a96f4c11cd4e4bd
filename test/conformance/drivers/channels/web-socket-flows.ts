import { type Client, type Watched, watch } from '../../../boundaries/websocket/client-events.ts'
import type { DriverProgram } from '../driver-program.ts'

/** A client of WebSockets that has connected, with what has happened to it. */
export interface Talk {
  /** The first connection. */
  readonly own: Watched
  /** Opens another one to the same server. */
  open(path: string, protocols?: string[]): Watched
}

/** Uses that all clients with the interface of browsers have. @param construct Opens a connection with the package that is tried. */
export function webSocketProgram(
  construct: (load: (name: string) => unknown, url: string, protocols?: string[]) => Client,
): DriverProgram<Talk> {
  return {
    server: 'talk',
    closesInStep: true,
    async open({ port, load }) {
      const open = (path: string, protocols?: string[]): Watched => watch(construct(load, `ws://127.0.0.1:${port}${path}`, protocols))
      const own = open('/talk')
      await own.next('open')
      return { own, open }
    },
    async close({ own }) {
      if (own.client.readyState === 3) return
      const closed = own.next('close')
      own.client.close()
      await closed
    },
    flows: {
      text: async ({ own }) => await say(own, ['one', '{"type":"order","id":"ord_1"}', 'drei: ü']),
      bytes: async ({ own }) => await say(own, [new Uint8Array([0, 255, 13, 10])]),
      long: async ({ own }) => (await say(own, ['long '.repeat(30_000)])).map((text) => String(text).length),
      'several at once': async ({ own }) => {
        for (const text of ['a', 'b', 'c']) own.client.send(text)
        while (own.events.filter((event) => typeof event === 'string').length < 3) await own.next('message')
        return own.events.slice(-3)
      },
      close: async ({ own }) => {
        const closed = own.next('close')
        own.client.close(4001, 'enough')
        await closed
        return own.events.at(-1)
      },
      // Some versions do not say that a connection is closed that never was open.
      refused: async ({ own, open }) => {
        await say(own, ['before'])
        const refused = open('/refuse')
        await refused.next('error')
        return refused.events[0]
      },
      'two connections': async ({ own, open }) => {
        const other = open('/other')
        await other.next('open')
        const heard = [await say(own, ['to one']), await say(other, ['to another'])]
        const closed = other.next('close')
        other.client.close()
        await closed
        return heard
      },
    },
  }
}

/** Sends each message when the one before has come back. */
async function say({ client, events, next }: Watched, messages: readonly (string | Uint8Array)[]): Promise<unknown[]> {
  const heard: unknown[] = []
  for (const message of messages) {
    const answered = next('message')
    client.send(message)
    await answered
    heard.push(events.at(-1))
  }
  return heard
}
