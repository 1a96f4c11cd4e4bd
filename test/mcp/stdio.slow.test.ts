import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, it } from 'vitest'
import { guardOutside } from '../../src/goldens/guard-outside.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { replay } from '../../src/replay/replay.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { describeCall } from '../../src/divergence/describe-call.ts'
import { expectNoisyOrder } from './noisy-runs.ts'
import { call, clientInfo, clientOptions, everything } from './use-client.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const server = fileURLToPath(new URL('shop-server.ts', import.meta.url))

async function connect(log: string): Promise<Client> {
  const client = new Client(clientInfo, clientOptions)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [server, 'stdio'],
    env: { ...process.env, SHOP_LOG: log },
  })
  await client.connect(transport)
  return client
}

it('replays a client that is opened in the run', async () => {
  await using directory = await createTemporaryDirectory()
  const log = `${directory.path}/log`
  const agent = async (): Promise<unknown> => {
    const client = await connect(log)
    try {
      return await everything(client)
    } finally {
      await client.close()
    }
  }
  const { output, trace } = await recordRun(agent)
  const world = await readFile(log, 'utf8')
  expect(output).toMatchObject({
    progress: [1, 2, 3],
    seen: expect.arrayContaining([['asked', 1], ['elicited', 'Sure?'], 'fast', ['logged', 'counted']]),
  })
  for (let time = 0; time < 2; time += 1) {
    const run = await replay(trace, agent)
    expect(run.divergences).toEqual([])
    expect(run.outcome).toEqual({ status: 'returned', output })
    expect(run.hash).toBe(trace.hash)
  }
  expect(await readFile(log, 'utf8')).toBe(world)
  expect(trace.steps.map(({ boundary, name, input }) => describeCall(boundary, name, input))).toEqual([
    expect.stringContaining('process node({"args":["'),
    'mcp shop.resources/read({"uri":"shop://terms"})',
    'mcp shop.count({})',
    'mcp shop.ping answer({})',
    'mcp shop.get_order({"order_id":"slow","wait":60})',
    'mcp shop.get_order({"order_id":"fast","wait":1})',
    'mcp shop.ask_model({})',
    expect.stringContaining('mcp shop.sampling/createMessage answer({"model":"small"'),
    'mcp shop.ask_user({})',
    'mcp shop.elicitation/create answer({"action":"accept","content":{"sure":true}})',
    'mcp shop.fail({})',
    'mcp shop.no/such({})',
  ])
  expect(trace.steps.filter(({ effect }) => effect !== undefined).map(({ name, effect }) => [name, effect])).toEqual([
    ['mcp shop.get_order', 'read'],
    ['mcp shop.get_order', 'read'],
  ])
})

it('gives each of eight runs its own steps of one client that was opened before', async () => {
  await using directory = await createTemporaryDirectory()
  const log = `${directory.path}/log`
  const store = `${directory.path}/runs`
  const recorder = createRecorder({ store })
  await recorder.start()
  const client = await connect(log)
  await client.listTools()
  const agent = async (order: string): Promise<unknown> => {
    const first = await call(client, 'get_order', { order_id: order, wait: Math.ceil(Number(order) * 3) % 7 })
    await call(client, 'refund_order', { order_id: order })
    return [first, await call(client, 'get_order', { order_id: `${order} again` })]
  }
  const orders = ['1', '2', '3', '4', '5', '6', '7', '8']
  const runs = await Promise.all(
    orders.map(async (order) => await recorder.run({ agent: 'shop', input: order }, async () => await agent(order))),
  )
  await recorder.close()
  const world = await readFile(log, 'utf8')
  const files = (await readdir(store)).filter((name) => name.endsWith('.runlog'))
  expect(files).toHaveLength(8)
  for (const file of files) {
    const trace = await readTrace(`${store}/${file}`)
    const order = String(trace.header.input)
    expect(trace.steps.map(({ name, input }) => [name, (input as { order_id: string }).order_id])).toEqual([
      ['mcp shop.get_order', order],
      ['mcp shop.refund_order', order],
      ['mcp shop.get_order', `${order} again`],
    ])
    expect(trace.steps[1]?.effect).toBe('write')
    // The real client, in a run that a replay answers.
    const run = await replay(trace, async () => await agent(order))
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: runs[orders.indexOf(order)] }])
  }
  expect(await readFile(log, 'utf8')).toBe(world)
  await client.close()
})

it('is red at the changed argument, with the tool and the line', async () => {
  await using directory = await createTemporaryDirectory()
  const log = `${directory.path}/log`
  const agent =
    (id: string, times = 1) =>
    async (): Promise<unknown> => {
      const client = await connect(log)
      await client.listTools()
      for (let time = 0; time < times; time += 1) await call(client, 'refund_order', { order_id: id })
      await client.close()
      return 'done'
    }
  const { trace } = await recordRun(agent('ord_1'))
  const changed = await replay(trace, agent('ord_2'))
  expect(changed.divergences[0]).toMatchObject({ cause: 'input', name: 'mcp shop.refund_order', site: { file: 'test/mcp/use-client.ts' } })
  const twice = await replay(trace, agent('ord_1', 2))
  expect(twice.divergences[0]).toMatchObject({ cause: 'unexpected-call', name: 'mcp shop.refund_order' })
  const { trace: repeated } = await recordRun(agent('ord_1', 2))
  expect(repeated.rows.filter((row) => row.kind === 'note' && row.what === 'repeated-side-effect')).toHaveLength(1)
})

it('replays a server that exits during a request', async () => {
  await using directory = await createTemporaryDirectory()
  const agent = async (): Promise<unknown> => {
    const client = await connect(`${directory.path}/log`)
    const crashed = await call(client, 'crash').catch((error: unknown) => String(error))
    const after = await call(client, 'get_order').catch((error: unknown) => String(error))
    return [crashed, after]
  }
  const { output, trace } = await recordRun(agent)
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('opens a session from a recording where the process is guarded, outside of runs and in them', async () => {
  await using directory = await createTemporaryDirectory()
  const log = `${directory.path}/log`
  let client = await connect(log)
  await client.listTools()
  await client.close()
  const recorder = createRecorder({ store: `${directory.path}/runs` })
  await recorder.start()
  client = await connect(log)
  const agent = async (): Promise<unknown> => [
    (await client.listTools()).tools.length,
    await call(client, 'get_order', { order_id: 'ord_1' }),
  ]
  const output = await recorder.run({ agent: 'shop', input: undefined }, agent)
  await recorder.close()
  await client.close()
  const world = await readFile(log, 'utf8')
  const [file = ''] = await readdir(`${directory.path}/runs`)
  const trace = await readTrace(`${directory.path}/runs/${file}`)
  expect(trace.steps.map(({ name }) => name)).toEqual(['mcp shop.get_order'])
  const outside = guardOutside()
  outside.knows(trace)
  try {
    client = await connect(log)
    expect(client.getServerVersion()?.name).toBe('shop')
    expect(await client.ping()).toEqual({})
    await expect(call(client, 'get_order', { order_id: 'ord_1' })).rejects.toThrow('outside any run')
    for (let time = 0; time < 3; time += 1) {
      const run = await replay(trace, agent)
      expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
    }
    await client.close()
    const opened = await replay(trace, async () => {
      client = await connect(log)
      return await agent()
    })
    expect([opened.divergences, opened.outcome]).toEqual([[], { status: 'returned', output }])
  } finally {
    outside.release()
  }
  expect(await readFile(log, 'utf8')).toBe(world)
})

it('keeps the order of all that a server says by itself, up to its end', async () => {
  await expectNoisyOrder(1)
})

it('gives a run each of the lists that it was given', async () => {
  await using directory = await createTemporaryDirectory()
  const growing = await directory.write(
    'server.mjs',
    `let tools = 1
    process.stdin.on('data', (piece) => {
      for (const line of String(piece).trim().split('\\n')) {
        const { id, method } = JSON.parse(line)
        const say = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
        if (method === 'initialize') say({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'growing', version: '1' } })
        if (method === 'tools/list') say({ tools: Array.from({ length: tools++ }, (_, name) => ({ name: 'tool' + name, inputSchema: { type: 'object' } })) })
      }
    })`,
  )
  const agent = async (): Promise<unknown> => {
    const client = new Client(clientInfo)
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [growing] }))
    const counts: number[] = []
    for (let time = 0; time < 3; time += 1) counts.push((await client.listTools()).tools.length)
    await client.close()
    return counts
  }
  const { output, trace } = await recordRun(agent)
  expect(output).toEqual([1, 2, 3])
  expect((await replay(trace, agent)).outcome).toEqual({ status: 'returned', output })
})

it('keeps the order of all that a server says by itself, up to its end, in each of five recordings', async () => {
  await expectNoisyOrder(5)
})
