import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createJestWorkspace, expectPassed } from '../support/jest-workspace.ts'
import { environmentConfig } from './files.ts'

it('records a golden from a test with GOLDENRUN=record, and replays it without the world', async () => {
  await using workspace = await createJestWorkspace()
  const server = createServer((_request, response) => response.end('{"status":"packed"}')).listen(0)
  await new Promise((resolve) => server.once('listening', resolve))
  const files = {
    'jest.config.cjs': environmentConfig,
    'goldenrun.config.mjs': `export default {
  agents: { orders: './a.test.js' },
  redact: { keep: [/help@/], rules: [{ name: 'order', pattern: /ord_\\d+/ }] },
}
`,
    'a.test.js': `const { checkpoint } = require('goldenrun')
const { replay } = require('goldenrun/jest')

async function agent({ order }) {
  const { status } = await (await fetch('http://localhost:${(server.address() as AddressInfo).port}/orders/' + order)).json()
  checkpoint('found', { status, at: Date.now() })
  return status
}

test('records', async () => {
  const run = await replay('packed', agent, { input: { order: 'ord_1' } })
  expect(run).toReplayWithoutDivergence()
  expect(run).toHaveReachedCheckpoint('found', { status: 'packed', at: expect.any(Number) })
})
`,
  }
  const missing = await workspace.jest(files)
  expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining('There is no golden trace "packed" yet.')])
  const inCI = await workspace.jest(files, { env: { GOLDENRUN: 'record', CI: 'true' } })
  expect([inCI.status, inCI.stderr]).toEqual([1, expect.stringContaining('not allowed in CI')])
  const recorded = await workspace.jest(files, { env: { GOLDENRUN: 'record' } })
  expectPassed(recorded, 1)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  const golden = await readFile(path.join(recorded.folder, 'golden-traces/packed.jsonl'), 'utf8')
  expect(golden).toContain('"name":"packed"')
  expect(golden).not.toContain('ord_1')
  expectPassed(await workspace.jest({ ...files, 'golden-traces/packed.jsonl': golden }), 1)
})
