import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
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

let project: InspectedProject
let lines: { readonly look: number; readonly order: number }

beforeAll(async () => {
  project = await createInspectedProject({ buyer: './agent.ts#buyer' }, { 'agent.ts': agent })
  await project.record('buyer', { items: ['tea', 'bread', 'salt'] })
  lines = { look: await project.lineOf('agent.ts', 'await look('), order: await project.lineOf('agent.ts', 'await order(') }
})

afterAll(() => project[Symbol.asyncDispose]())

const portOf = async (terminal: DebugTerminal): Promise<number> => Number((await terminal.printed(/Debugger on 127\.0\.0\.1:(\d+)/))[1])

it('is driven by a client of the DevTools protocol: attaches, evaluates a local, steps back, and goes on', async () => {
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

it('goes on to the end when the editor does', async () => {
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
  await terminal.printed(/^The agent is at no line of its own at step 70\. It is at steps 1, 2, 3, 4, 5, 6\.$/m)
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
  await say('why', /1 trace replayed: 1 held\.\n\nThe debugger is at step 4\./)
  await say('fork --answer "{ \\"item\\": \\"bread\\", \\"amount\\": 100 }"', /Returned 1\d\d/)
  await say('to 9', /The agent is at no line of its own at step 9\. It is at steps 1, 2, 3, 4, 5, 6\./)
  await say('to 1', /^Step 1, before tool look/m)
  await say('prev', /^There is no step before\.$/m)
  await say('help', /^before-side-effect {2}go to the next side effect$/m)
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
