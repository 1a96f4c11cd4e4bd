import { once } from 'node:events'
import { get } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Debugger, Runtime } from 'node:inspector'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { ProtocolClient, startDebugging, startNode, type DebugTerminal } from './debugged-project.ts'
import { createInspectedProject, type InspectedProject } from './inspected-project.ts'

// The agent of the terminal's and the editor's debugger: a loop with a side effect in each round.

const agent = `
import { tool } from 'goldenrun'

const look = tool('look', { effect: 'read' }, async ({ at }: { at: string }) => ({ at, stock: at.length }))
const order = tool('order', { effect: 'write' }, async ({ item, amount }: { item: string; amount: number }) => ({ item, amount }))

export async function buyer({ items }: { items: string[] }): Promise<number> {
  let total = 0
  for (const item of items) {
    const found = await look({ at: item })
    const amount = 10 - found.stock
    const receipt = await order({ item, amount })
    total += receipt.amount
  }
  return total
}
`

const nested = `
import { external, tool } from 'goldenrun'

const price = external('price', async (item: string) => item.length)
const offer = tool('offer', { effect: 'read' }, async ({ item }: { item: string }) => ({ item, price: await price(item) }))

async function ask(item: string): Promise<number> {
  const { price: asked } = await offer({ item })
  return asked
}

export async function seller({ items }: { items: string[] }): Promise<number> {
  const tax = 2
  const first = items[0] ?? ''
  return tax + await ask(first)
}
`

let project: InspectedProject
let lines: { readonly look: number; readonly order: number }

beforeAll(async () => {
  project = await createInspectedProject(
    { buyer: './agent.ts#buyer', seller: './seller.ts#seller' },
    { 'agent.ts': agent, 'seller.ts': nested },
  )
  await project.record('seller', { items: ['tea'] })
  await project.record('buyer', { items: ['tea', 'bread', 'salt'] })
  lines = { look: await project.lineOf('agent.ts', 'await look('), order: await project.lineOf('agent.ts', 'await order(') }
})

afterAll(() => project[Symbol.asyncDispose]())

const portOf = async (terminal: DebugTerminal): Promise<number> => Number((await terminal.printed(/Debugger on 127\.0\.0\.1:(\d+)/))[1])

it('is driven by a DevTools client: attaches, evaluates a local, steps back, and continues', async () => {
  await using terminal = await startDebugging(project, ['latest', '--at', '4'])
  await terminal.printed(/^Step 4, before tool order: buyer {2}agent\.ts/m)
  const client = await ProtocolClient.attach(await portOf(terminal))
  await client.send('Runtime.enable')
  await client.send('Debugger.enable')
  await client.send('Runtime.runIfWaitingForDebugger')
  const paused = await client.event<Debugger.PausedEventDataType>('Debugger.paused')
  const [frame] = paused.callFrames
  expect([frame?.functionName, (frame?.location.lineNumber ?? 0) + 1]).toEqual(['buyer', lines.order])
  const evaluate = async (expression: string): Promise<unknown> => {
    const callFrameId = frame?.callFrameId
    const { result } = await client.send<Runtime.EvaluateReturnType>('Debugger.evaluateOnCallFrame', { callFrameId, expression })
    return result.value
  }
  expect(await evaluate('item + " " + amount')).toBe('bread 5')
  // More than a frame of a WebSocket has in a short one.
  expect(await evaluate('"x".repeat(200_000)')).toBe('x'.repeat(200_000))
  client.socket.ping('still there?')
  expect(String((await once(client.socket, 'pong'))[0])).toBe('still there?')
  // The editor steps, and the terminal sees where.
  await client.send('Debugger.stepOver')
  await client.event('Debugger.paused')
  terminal.type('total')
  await terminal.printed(/^7$/m)
  await client.close()

  // Back: a replay to the step before, in another process, to which the editor attaches again.
  terminal.type('prev')
  await terminal.printed(/^Step 3, before tool look: buyer/m)
  terminal.type('where')
  await terminal.printed(new RegExp(`^buyer {2}agent\\.ts:${lines.look}:`, 'm'))
  terminal.type('item')
  await terminal.printed(/^"bread"$/m)

  // And on, in the same process.
  for (const [command, printed] of [
    ['next', 'Step 4, before tool order'],
    ['to 6', 'Step 6, before tool order'],
    ['next', 'The replay is over: returned.'],
  ] as const) {
    terminal.type(command)
    await terminal.printed(new RegExp(`^${printed}`, 'm'))
  }
  expect(await terminal.end()).toBe(0)
})

it.each([
  ['a call is missing', '    const receipt = await order({ item, amount })', '    const receipt = { amount }', 'Step 1, before tool look'],
  ['the outcome differs', '  return total', '  return total + 1', 'Step 6, before tool order'],
  [
    'a call is added, whose place the report names',
    '  return total',
    "  await look({ at: 'more' })\n  return total",
    'After step 6, before a call that the recorded run does not have',
  ],
  [
    'a call is added before all others',
    '  let total = 0',
    "  let total = (await order({ item: 'gift', amount: 0 })).amount",
    'Before the first step, before a call that the recorded run does not have',
  ],
])('stops by itself where %s', async (_, from, to, printed) => {
  await project.write('agent.ts', agent.replace(from, to))
  try {
    await using terminal = await startDebugging(project, ['latest'])
    await terminal.printed(new RegExp(`^${printed}: buyer`, 'm'))
    expect(await terminal.end()).toBe(0)
  } finally {
    await project.write('agent.ts', agent)
  }
})

it('continues to the end when the editor does', async () => {
  await using terminal = await startDebugging(project, ['latest'])
  await terminal.printed(/^Step 1, before tool look/m)
  const client = await ProtocolClient.attach(await portOf(terminal))
  await client.send('Debugger.enable')
  await client.event('Debugger.paused')
  await client.send('Debugger.resume')
  await once(client.socket, 'close')
  terminal.type('where')
  await terminal.printed(/The replay is over\./)
  terminal.type('to 2')
  await terminal.printed(/^Step 2, before tool order/m)
  expect(await terminal.end()).toBe(0)
})

it('refuses other hosts and a second client', async () => {
  await using terminal = await startDebugging(project, ['latest'])
  const port = await portOf(terminal)
  const client = await ProtocolClient.attach(port)
  const { url } = client.socket

  expect(await statusOf(port, 'evil.example')).toBe(403)
  expect(await statusOf(port, `evil.example:${port}`)).toBe(403)
  expect(await statusOf(port, `localhost:${port}`)).toBe(200)
  expect(await refusalOf(url, { host: `evil.example:${port}` })).toBe('Unexpected server response: 403')
  expect(await refusalOf(url)).toBe('Unexpected server response: 409')
  expect(await refusalOf(`ws://127.0.0.1:${port}/`)).toBe('Unexpected server response: 404')
  const outside = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')
  // From another address of this machine, if it has one.
  expect(outside === undefined ? 'ECONNREFUSED' : await errorOf(port, outside.address)).toBe('ECONNREFUSED')
  // The first one is still served, and its place is free when it has gone.
  await client.send('Debugger.enable')
  await client.close()
  const next = await ProtocolClient.attach(port)
  await next.send('Debugger.enable')
  await next.close()
})

it('stops a replay in code at a step, until a client lets it go on', async () => {
  await project.write(
    'break-at.ts',
    `
import { replay } from 'goldenrun/replay'
import { buyer } from './agent.ts'
const { stdout } = process
const id = process.argv[2] ?? ''
const run = await replay(id, buyer, { breakAt: 4 })
stdout.write(JSON.stringify([run.outcome, run.hash === run.trace.hash]) + '\\n')
await replay(id, buyer, { breakAt: 70 }).catch((error: Error) => stdout.write(error.message + '\\n'))
`,
  )
  const { stdout } = await project.run(['show', 'latest', '--json'])
  const { header } = JSON.parse(stdout) as { readonly header: { readonly id: string } }
  await using terminal = startNode(project, ['break-at.ts', header.id])
  const port = Number((await terminal.printed(/Waiting for a debugger on 127\.0\.0\.1:(\d+)/))[1])
  const client = await ProtocolClient.attach(port)
  await client.send('Debugger.enable')
  await client.send('Runtime.runIfWaitingForDebugger')
  const { callFrames } = await client.event<Debugger.PausedEventDataType>('Debugger.paused')
  const expression = 'item + " " + amount'
  const callFrameId = callFrames[0]?.callFrameId
  const { result } = await client.send<Runtime.EvaluateReturnType>('Debugger.evaluateOnCallFrame', { callFrameId, expression })
  expect(result.value).toBe('bread 5')
  await client.send('Debugger.resume')
  await terminal.printed(/^\[\{"status":"returned","output":18\},true\]$/m)
  await terminal.printed(/^At step 70, the agent is not in its own code\. Its own code runs at steps 1, 2, 3, 4, 5, 6\.$/m)
  expect(await terminal.end()).toBe(0)
})

it('has commands for the whole of a session', async () => {
  await using terminal = await startDebugging(project, ['latest', '--at', '3'])
  const say = async (line: string, printed: RegExp): Promise<void> => {
    terminal.type(line)
    await terminal.printed(printed)
  }
  await say('vars', /^ {4}total = 7$/m)
  await say('eval total * 2', /^14$/m)
  await say('total.none.nothing', /^TypeError: Cannot read properties of undefined/m)
  await say('before-side-effect', /^Step 4, before tool order/m)
  await say('why', /1 trace replayed: 1 held\.(?: Without a network\.)?\n\nThe debugger is at step 4\./)
  await say('fork --answer "{ \\"item\\": \\"bread\\", \\"amount\\": 100 }"', /Returned 1\d\d/)
  await say('to 9', /At step 9, the agent is not in its own code\. Its own code runs at steps 1, 2, 3, 4, 5, 6\./)
  await say('to 1', /^Step 1, before tool look/m)
  await say('prev', /^There is no previous step\.$/m)
  await say('help', /^before-side-effect {2}go to the next side effect$/m)
  expect(await terminal.end()).toBe(0)
})

it('survives an invalid request', async () => {
  await using terminal = await startDebugging(project, ['latest'])
  const client = await ProtocolClient.attach(await portOf(terminal))
  for (const text of ['not json', 'null', '[]', '7', '{}', '{"id":1}', '{"id":"1","method":"Debugger.enable"}', ''])
    client.socket.send(text)
  await client.send('Debugger.enable')
  const { result } = await client.send<Runtime.EvaluateReturnType>('Runtime.evaluate', { expression: '1 + 1' })
  expect(result.value).toBe(2)
  await client.close()
  terminal.type('item')
  await terminal.printed(/^"tea"$/m)
})

it.each(['end', 'destroy', 'resetAndDestroy'] as const)(
  'has its place free again after a client that is gone without a word (%s)',
  async (how) => {
    await using terminal = await startDebugging(project, ['latest'])
    const port = await portOf(terminal)
    const response = await fetch(`http://127.0.0.1:${port}/json/list`)
    const [target] = (await response.json()) as { readonly webSocketDebuggerUrl: string }[]
    const socket = connect(port, '127.0.0.1')
    const headers = [
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]
    socket.write(
      [`GET ${new URL(target?.webSocketDebuggerUrl ?? '').pathname} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers, '', ''].join('\r\n'),
    )
    await once(socket, 'data')
    const closed = once(socket, 'close')
    socket[how]()
    await closed
    const next = await ProtocolClient.attach(port)
    expect(await next.send('Debugger.enable')).toHaveProperty('debuggerId')
    await next.close()
  },
)

it('says in a line that a port is taken', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { status, stdout, stderr } = await project.run(['debug', 'latest', '--port', String(port)])
  server.close()
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toBe(`The debugger cannot listen on port ${port} of 127.0.0.1: it is in use. To use another one: --port <port>\n`)
})

it('ends an expression that runs for too long, and refuses an invalid one', async () => {
  await using terminal = await startDebugging(project, ['latest', '--at', '2'])
  const say = async (line: string, printed: RegExp): Promise<void> => {
    terminal.type(line)
    await terminal.printed(printed)
  }
  await terminal.printed(/^Step 2, before tool order/m)
  await say('(() => { while (true) {} })()', /^It was ended after 5 seconds\.$/m)
  await say('item;', /^"tea"$/m)
  await say('await look({ at: item })', /^The agent is stopped, so no promise settles: an expression cannot await one\.$/m)
  await say('const other = 1', /^This is not an expression: Unexpected token 'const'$/m)
  await say('next;', /^Step 3, before tool look/m)
  terminal.type('exit')
  expect(await terminal.end()).toBe(0)
})

it('goes back from the end of the run, and not on', async () => {
  await using terminal = await startDebugging(project, ['latest', '--at', '6'])
  for (const [command, printed] of [
    ['next', 'The replay is over: returned.'],
    ['next', 'The replay is over. To go to a step again: to <step>'],
    ['before-side-effect', 'The replay is over. To go to a step again: to <step>'],
    ['prev', 'Step 6, before tool order: buyer'],
    ['prev', 'Step 5, before tool look: buyer'],
  ] as const) {
    terminal.type(command)
    await terminal.printed(new RegExp(`^${printed}`, 'm'))
  }
  expect(await terminal.end()).toBe(0)
})

it('finds a variable of an outer function, and says that a step is inside a tool', async () => {
  const { stdout } = await project.run(['list', '--agent', 'seller', '--json'])
  const [{ id }] = (JSON.parse(stdout) as { readonly recordings: readonly [{ readonly id: string }] }).recordings
  const inside = await project.run(['debug', id, '--at', '2'])
  expect([inside.status, inside.stderr]).toEqual([
    2,
    'At step 2, the agent is not in its own code. It is inside offer (step 1), whose function does not run: --tools run. Its own code runs at steps 1.\n',
  ])
  await using terminal = await startDebugging(project, [id, '--at', '1'])
  const say = async (line: string, printed: RegExp): Promise<void> => {
    terminal.type(line)
    await terminal.printed(printed)
  }
  await say('item', /^"tea"$/m)
  await say('tax', /^2$/m)
  await say('nobody', /^ReferenceError: nobody is not defined$/m)
  expect(await terminal.end()).toBe(0)
})

async function statusOf(port: number, host: string): Promise<number | undefined> {
  const [response] = (await once(get({ port, path: '/json/list', headers: { host } }), 'response')) as [
    { statusCode: number; resume(): void },
  ]
  response.resume()
  return response.statusCode
}

async function errorOf(port: number, host: string): Promise<string | undefined> {
  const [error] = (await once(connect(port, host), 'error')) as [NodeJS.ErrnoException]
  return error.code
}

async function refusalOf(url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const [error] = (await once(new WebSocket(url, { headers }), 'error')) as [Error]
  return error.message
}
