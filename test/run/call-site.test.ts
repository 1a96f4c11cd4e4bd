import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { callSite } from '../../src/run/call-site.ts'

const here = (file: string): string => join(process.cwd(), file)
const url = (file: string): string => pathToFileURL(here(file)).href
const own = fileURLToPath(new URL('../../src/replay/replaying-run.ts', import.meta.url))
const stack = (...frames: string[]): string => ['Error: call', ...frames.map((frame) => `    at ${frame}`)].join('\n')

const agents: readonly (readonly [what: string, frame: string])[] = [
  ['a named frame', `refund (${here('app/agent.ts')}:48:22)`],
  ['a file URL', `refund (${url('app/agent.ts')}:48:22)`],
  ['an async frame', `async refund (${url('app/agent.ts')}:48:22)`],
  ['an async frame without a name', `async ${url('app/agent.ts')}:48:22`],
  ['a frame without a name', `${here('app/agent.ts')}:48:22`],
  ['a constructor', `new Agent (${here('app/agent.ts')}:48:22)`],
  ['a method under another name', `Agent.refund [as call] (${here('app/agent.ts')}:48:22)`],
  ['a module that Vite loaded again', `refund (${url('app/agent.ts')}?t=1700000000000:48:22)`],
]

it.each(agents)('reads %s', (_, frame) => {
  expect(callSite(stack(frame))).toEqual({ file: 'app/agent.ts', line: 48, column: 22 })
})

it("passes over goldenrun's own frames, Node's, those of packages, and those without a file", () => {
  const frames = [
    `ReplayingRun.captureExchange (${own}:10:5)`,
    `fetch (${pathToFileURL(own).href}:20:5)`,
    `OpenAI.request (${url('node_modules/openai/client.mjs')}:300:9)`,
    'process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
    'async Promise.all (index 0)',
    'Array.map (<anonymous>)',
    `eval (eval at run (${here('app/eval.ts')}:1:1), <anonymous>:1:1)`,
    `async supportAgent (${url('app/agent.ts')}:7:3)`,
    `async main (${url('app/main.ts')}:1:1)`,
  ]
  expect(callSite(stack(...frames))).toEqual({ file: 'app/agent.ts', line: 7, column: 3 })
})

it('names the line of a package where no line of the agent leads there', () => {
  const frames = [
    `ReplayingRun.refuseContact (${own}:10:5)`,
    'Socket.connect (node:net:1:1)',
    `connect (${here('node_modules/@grpc/grpc-js/build/src/transport.js')}:12:3)`,
    `next (${here('node_modules/@grpc/grpc-js/build/src/channel.js')}:4:5)`,
  ]
  expect(callSite(stack(...frames))).toEqual({ file: 'node_modules/@grpc/grpc-js/build/src/transport.js', line: 12, column: 3 })
})

it('names a file outside of the working directory by its whole path', () => {
  expect(callSite(stack('f (/elsewhere/agent.ts:1:2)'))).toEqual({ file: '/elsewhere/agent.ts', line: 1, column: 2 })
})

it('reads a file whose name has spaces and brackets', () => {
  expect(callSite(stack(`f (${here('app/my (new) agent.ts')}:1:2)`))).toEqual({ file: 'app/my (new) agent.ts', line: 1, column: 2 })
})

it('finds nothing where there is nothing of the agent', () => {
  expect(callSite(undefined)).toBeUndefined()
  expect(callSite('')).toBeUndefined()
  expect(callSite(stack('f (node:fs:1:2)', 'g (<anonymous>)'))).toBeUndefined()
})

it('reads a real stack', () => {
  const site = callSite(new Error('here').stack)
  expect(site).toMatchObject({ file: 'test/run/call-site.test.ts', line: expect.any(Number) as number })
})
