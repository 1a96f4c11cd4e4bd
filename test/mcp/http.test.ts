import { readdir } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { guardOutside } from '../../src/goldens/guard-outside.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { replay } from '../../src/replay/replay.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { createShopServer } from './shop-server.ts'
import { call, clientInfo, clientOptions, everything } from './use-client.ts'

/** A shop over streamable HTTP, with a session for each client; it counts what it hears. */
async function startShop(enableJsonResponse: boolean) {
  const transports = new Map<string, StreamableHTTPServerTransport>()
  const heard: string[] = []
  const server = await listen(async (request, response) => {
    heard.push(String(request.method))
    if (request.url === '/broken') return void response.writeHead(503, { 'content-type': 'text/plain' }).end('try later')
    const known = transports.get(String(request.headers['mcp-session-id']))
    if (known !== undefined) return await known.handleRequest(request, response)
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      enableJsonResponse,
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void transports.set(id, transport),
    })
    await createShopServer((line) => void heard.push(line)).connect(transport)
    return await transport.handleRequest(request, response)
  })
  return { server, heard, url: `${server.url}/mcp` }
}

async function connect(url: string): Promise<Client> {
  const client = new Client(clientInfo, clientOptions)
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

it.each([
  ['streams of events', false],
  ['JSON', true],
])('replays a client that is opened in the run, of a server that answers with %s', async (_form, json) => {
  const { server, heard, url } = await startShop(json)
  const agent = async (): Promise<unknown> => {
    const client = await connect(url)
    try {
      // A server that answers with JSON can ask nothing.
      if (!json) return await everything(client)
      return [(await client.listTools()).tools.length, await call(client, 'get_order', { order_id: 'ord_1' })]
    } finally {
      await client.close()
    }
  }
  const { output, trace } = await recordRun(agent)
  const before = heard.length
  expect(trace.steps.map(({ boundary, name }) => `${boundary} ${name}`)).toEqual(
    json
      ? ['tool mcp shop.get_order']
      : [
          'external mcp shop.resources/read',
          'tool mcp shop.count',
          'external mcp shop.ping answer',
          'tool mcp shop.get_order',
          'tool mcp shop.get_order',
          'tool mcp shop.ask_model',
          'external mcp shop.sampling/createMessage answer',
          'tool mcp shop.ask_user',
          'external mcp shop.elicitation/create answer',
          'tool mcp shop.fail',
          'external mcp shop.no/such',
        ],
  )
  for (let time = 0; time < 5; time += 1) {
    const run = await replay(trace, agent)
    expect(run.divergences).toEqual([])
    expect(run.outcome).toEqual({ status: 'returned', output })
    expect(run.hash).toBe(trace.hash)
  }
  expect(heard).toHaveLength(before)
  await server.close()
})

it('no longer tells clients apart by how many requests they have made', async () => {
  const { server, url } = await startShop(false)
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: `${directory.path}/runs` })
  await recorder.start()
  let client = await connect(url)
  for (let time = 0; time < 4; time += 1) await client.listTools()
  const agent = async (order: string): Promise<unknown> => [
    await call(client, 'get_order', { order_id: order, wait: 5 }),
    await call(client, 'refund_order', { order_id: order }),
  ]
  const orders = ['1', '2', '3', '4', '5', '6', '7', '8']
  const outputs = await Promise.all(
    orders.map(async (order) => await recorder.run({ agent: 'shop', input: order }, async () => await agent(order))),
  )
  await recorder.close()
  await client.close()
  await server.close()
  const files = await readdir(`${directory.path}/runs`)
  const traces = await Promise.all(
    files.filter((name) => name.endsWith('.runlog')).map((name) => readTrace(`${directory.path}/runs/${name}`)),
  )
  expect(traces).toHaveLength(8)
  const outside = guardOutside()
  try {
    for (const trace of traces) outside.knows(trace)
    client = await connect(url)
    for (const trace of traces) {
      const order = String(trace.header.input)
      expect(trace.steps.map(({ name, input }) => [name, (input as { order_id: string }).order_id])).toEqual([
        ['mcp shop.get_order', order],
        ['mcp shop.refund_order', order],
      ])
      const run = await replay(trace, async () => await agent(order))
      expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: outputs[orders.indexOf(order)] }])
      const changed = await replay(trace, async () => await agent(`${order}0`))
      expect(changed.divergences[0]).toMatchObject({ cause: 'input', name: 'mcp shop.get_order' })
    }
  } finally {
    outside.release()
  }
})

it('replays a server that answers with a status of HTTP, and one that is not there', async () => {
  const { server, url } = await startShop(false)
  const gone = await listen(async (_, response) => void response.end())
  await gone.close()
  const agent = async (): Promise<unknown> => {
    const client = await connect(url)
    const { transport } = client
    const errors: unknown[] = []
    for (const address of [`${server.url}/broken`, `${gone.url}/mcp`]) {
      Reflect.set(transport as object, '_url', new URL(address))
      errors.push(await call(client, 'get_order').catch((error: unknown) => [String(error), Reflect.get(error as object, 'code')]))
    }
    return errors
  }
  const { output, trace } = await recordRun(agent)
  expect(output).toEqual([
    [expect.stringContaining('try later'), 503],
    [expect.stringContaining('fetch failed'), undefined],
  ])
  await server.close()
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('replays a session that is refused, and one that is opened as the server can', async () => {
  const { server, url } = await startShop(false)
  const agent = async (): Promise<unknown> => {
    const refused = await connect(`${server.url}/broken`).catch((error: unknown) => [String(error), Reflect.get(error as object, 'code')])
    const { Client: NewClient, StreamableHTTPClientTransport: NewTransport } = await import('@modelcontextprotocol/client')
    const client = new NewClient(clientInfo)
    await client.connect(new NewTransport(new URL(url)))
    const { content } = await client.callTool({ name: 'refund_order', arguments: { order_id: 'ord_1' } })
    await client.close()
    return [refused, content]
  }
  const { output, trace } = await recordRun(agent)
  expect(output).toMatchObject([[expect.stringContaining('try later'), 503], [{ text: 'refunded ord_1' }]])
  await server.close()
  for (let time = 0; time < 3; time += 1) {
    const run = await replay(trace, agent)
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
})

it('replays a call that the agent no longer waits for, and a client that is closed then', async () => {
  const { server, url } = await startShop(false)
  const agent = async (): Promise<unknown> => {
    const client = await connect(url)
    const late = await client
      .callTool({ name: 'get_order', arguments: { order_id: 'slow', wait: 2000 } }, undefined, { timeout: 30 })
      .catch(String)
    const order = await call(client, 'get_order', { order_id: 'ord_1' })
    await client.close()
    return [late, order]
  }
  const { output, trace } = await recordRun(agent)
  expect(output).toMatchObject([expect.stringContaining('timed out'), expect.anything()])
  await server.close()
  for (let time = 0; time < 3; time += 1) {
    const run = await replay(trace, agent)
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  }
})
