import type { Ability, Client } from './client.ts'
import { failure, head, pieces, plainPieces, plainText, see } from './read-answer.ts'

/** Where a client finds the origin, the same when the origin is gone, and what can be done to it. */
export interface World {
  readonly url: string
  /** Where nothing listens. */
  readonly closedUrl: string
  /** Lets the origin send the second piece of `/gated`. */
  openGate(): void
}

/** Something that HTTP does, as a program sees it through a client. */
export interface Behaviour {
  readonly name: string
  /** What the program does, for the page. */
  readonly what: string
  /** Without these a client cannot show it. */
  readonly needs?: readonly Ability[]
  /** One of the few that `npm test` runs for every door. */
  readonly core?: true
  /** What the program makes of it is another thing each time: only recording and replay are compared. */
  readonly varies?: true
  /** The origin has to notice, while it is recorded, that the client left so many answers. */
  readonly leaves?: number
  /** The program: resolves to what it saw, as JSON. */
  run(client: Client, at: World): Promise<unknown>
}

/** A file of every byte. */
const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)

async function* upload(): AsyncGenerator<Uint8Array> {
  for (const text of ['in ', 'three ', 'pieces']) yield Buffer.from(text)
}

const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"q":1}' } as const

const follow = (status: number): Behaviour => ({
  name: `${status} followed`,
  what: `sends JSON and follows a ${status}`,
  needs: ['follow'],
  run: (client, { url }) => see(client, { ...post, url: `${url}/${status}`, redirect: 'follow' }),
})

const decoded = (name: string): Behaviour => ({
  name,
  what: `reads JSON that came as ${name}`,
  async run(client, { url }) {
    const received = await client.send({ url: `${url}/${name}`, headers: { 'accept-encoding': name } })
    // The length is that of the encoded body: under a recorder a fetch is given the decoded one, and not told how long it was.
    return { status: received.status, type: received.header('content-type'), text: await plainText(client, received, name) }
  },
})

const streamed = (name: string, path: string, what: string): Behaviour => ({
  name,
  what,
  async run(client, { url }) {
    const received = await client.send({ url: `${url}/${path}` })
    return { ...head(received), ...(await pieces(received.body)) }
  },
})

const race = (name: string, headers: Readonly<Record<string, string>>, needs: readonly Ability[] = []): Behaviour => ({
  name,
  what: 'makes six calls at once, answered after random delays',
  needs,
  varies: true,
  async run(client, { url }) {
    const order: string[] = []
    const delays = Array.from({ length: 6 }, () => Math.floor(Math.random() * 20))
    const one = async (milliseconds: number, index: number): Promise<void> => {
      const received = await client.send({ url: `${url}/late?after=${milliseconds}`, headers })
      order.push(`head ${index}`)
      order.push(`body ${index}: ${await plainText(client, received, headers['accept-encoding'] ?? '')}`)
    }
    await Promise.all(delays.map(one))
    return order
  },
})

/** All behaviours, in the order of the table's columns. */
export const behaviours: readonly Behaviour[] = [
  {
    name: 'JSON',
    what: 'sends JSON, reads the answer whole',
    core: true,
    run: (client, { url }) => see(client, { ...post, url: `${url}/json` }),
  },
  { ...streamed('SSE', 'sse', 'reads server-sent events piece by piece'), core: true },
  streamed('NDJSON', 'ndjson', 'reads lines of JSON, piece by piece, one of which comes in two'),
  streamed('AWS events', 'aws-events', 'reads the frames of an AWS event stream'),
  streamed('chunked', 'chunked', 'reads text that comes in chunks'),
  {
    name: 'first piece',
    what: 'reads the first piece of a body before the second is sent',
    core: true,
    async run(client, { url, openGate }) {
      const received = await client.send({ url: `${url}/gated` })
      const iterator = received.body[Symbol.asyncIterator]()
      const first = await iterator.next()
      openGate()
      const second = await iterator.next()
      await iterator.next()
      return [first, second].map(({ value }) => Buffer.from(value as Uint8Array).toString())
    },
  },
  { ...decoded('gzip'), core: true },
  decoded('br'),
  decoded('zstd'),
  {
    name: 'gzip SSE',
    what: 'reads compressed server-sent events piece by piece',
    async run(client, { url }) {
      const received = await client.send({ url: `${url}/gzip-sse`, headers: { 'accept-encoding': 'gzip' } })
      return { ...head(received), ...(await plainPieces(client, received, 'gzip')) }
    },
  },
  {
    name: 'multipart',
    what: 'sends a form with a field and a file of every byte',
    needs: ['form'],
    run: (client, { url }) => see(client, { url: `${url}/multipart`, method: 'POST', body: { field: 'value', file: bytes } }),
  },
  {
    name: 'binary',
    what: 'sends and reads every byte',
    async run(client, { url }) {
      const received = await client.send({
        url: `${url}/binary`,
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream' },
        body: bytes,
      })
      const { pieces: all, error } = await pieces(received.body)
      return { ...head(received), body: all.join(''), error }
    },
  },
  {
    name: 'upload',
    what: 'streams what it sends',
    needs: ['upload'],
    run: (client, { url }) => see(client, { url: `${url}/json`, method: 'POST', body: upload() }),
  },
  follow(301),
  { ...follow(302), core: true },
  follow(303),
  follow(307),
  {
    name: 'redirect left',
    what: 'is told not to follow a 302',
    needs: ['manual'],
    run: (client, { url }) => see(client, { url: `${url}/302` }),
  },
  {
    name: 'HEAD',
    what: 'reads the head, the length of what it would have got included',
    needs: ['head'],
    async run(client, { url }) {
      const received = await client.send({ url: `${url}/head`, method: 'HEAD' })
      return { ...head(received), length: received.header('content-length'), text: await received.text() }
    },
  },
  { name: '204', what: 'reads an answer without a body', run: (client, { url }) => see(client, { url: `${url}/204` }) },
  { name: '503', what: 'reads an error and its `retry-after`', run: (client, { url }) => see(client, { url: `${url}/503` }) },
  {
    name: 'trailers',
    what: 'reads the body and what comes after it',
    async run(client, { url }) {
      const received = await client.send({ url: `${url}/trailers` })
      return { text: await received.text(), trailers: received.trailers?.() }
    },
  },
  {
    name: 'duplicate headers',
    what: 'reads an answer with two `link` headers',
    run: (client, { url }) => see(client, { url: `${url}/duplicates` }),
  },
  {
    name: 'cut',
    what: 'reads a body whose connection is cut',
    core: true,
    async run(client, { url }) {
      const received = await client.send({ url: `${url}/cut` })
      return { ...head(received), ...(await pieces(received.body)) }
    },
  },
  {
    name: 'refused',
    what: 'connects where nothing listens',
    run: (client, { closedUrl }) => failure(() => client.send({ url: `${closedUrl}/json` })),
  },
  { name: 'reset', what: 'is hung up on before the head', run: (client, { url }) => failure(() => client.send({ url: `${url}/reset` })) },
  {
    name: 'abort before head',
    what: 'aborts while it waits for the head',
    core: true,
    leaves: 1,
    run(client, { url }) {
      const controller = new AbortController()
      // Late enough for the request to have arrived, on a busy machine too.
      setTimeout(() => controller.abort(), 250)
      return failure(() => client.send({ url: `${url}/silence`, signal: controller.signal }))
    },
  },
  {
    name: 'abort in body',
    what: 'aborts within the body',
    leaves: 1,
    async run(client, { url }) {
      const controller = new AbortController()
      const received = await client.send({ url: `${url}/endless`, signal: controller.signal })
      const iterator = received.body[Symbol.asyncIterator]()
      const first = await iterator.next()
      controller.abort()
      // What had arrived may still be handed out.
      const end = await failure(async () => {
        for (;;) if ((await iterator.next()).done === true) return 'ended'
      })
      return { first: Buffer.from(first.value as Uint8Array).toString(), end }
    },
  },
  {
    name: 'stop early',
    what: 'reads one piece of an endless body, and leaves',
    core: true,
    leaves: 1,
    async run(client, { url }) {
      const received = await client.send({ url: `${url}/endless` })
      return { ...head(received), ...(await pieces(received.body, 1)) }
    },
  },
  {
    name: 'unread',
    what: 'leaves a body unread and calls again',
    async run(client, { url }) {
      const unread = await client.send({ url: `${url}/binary`, method: 'PUT', body: bytes })
      return [unread.status, await see(client, { ...post, url: `${url}/json` })]
    },
  },
  {
    name: 'clone',
    what: 'reads an answer and its clone',
    needs: ['clone'],
    async run(client, { url }) {
      const { response } = await client.send({ url: `${url}/sse` })
      const copy = response?.clone()
      return Promise.all([response?.text(), copy?.text()])
    },
  },
  {
    name: 'tee',
    what: 'reads a body with two readers',
    needs: ['tee'],
    async run(client, { url }) {
      const { response } = await client.send({ url: `${url}/sse` })
      const readers = response?.body?.tee() ?? []
      const order: string[] = []
      const seen = await Promise.all(
        readers.map(async (reader, index) => {
          for await (const piece of reader) order.push(`${index}: ${Buffer.from(piece).toString()}`)
          return index
        }),
      )
      return { seen, order }
    },
  },
  { ...race('race', {}), core: true },
  race('race, gzip', { 'accept-encoding': 'gzip' }, ['below']),
]
