import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runNode } from '../../support/run-command.ts'
import { createVitestWorkspace, type VitestWorkspace } from '../../support/vitest-workspace.ts'
import { type Tried, writeScript } from './innocent-project.ts'
import { activities, ownInnocents, surroundings } from './innocents.ts'

// A sample of `npm run test:full -- addons`: no package that cannot reach the world is suspected, and no connection or program of Node's own modules,
// of whichever thread, is taken for one of native code.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let workspace: VitestWorkspace
let server: Server

beforeAll(async () => {
  workspace = await createVitestWorkspace()
  server = createServer((_request, response) => response.end('fine'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await workspace[Symbol.asyncDispose]()
})

for (const innocent of ownInnocents) {
  it(`finds nothing native in ${innocent.name}, whatever else its program has open`, async () => {
    const { path } = await workspace.project({})
    const all = [...activities, ...surroundings]
    await writeScript(path, innocent, all, import.meta.url)
    const { port } = server.address() as AddressInfo
    const { status, stdout, stderr } = await runNode(path, ['try.mjs'], { PORT: String(port) })
    expect(status, stderr).toBe(0)
    const tried = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Tried[]
    const isSuspect = innocent.isSuspect === true && process.platform === 'linux'
    const suspect: unknown = expect.stringContaining(`${innocent.name} (node_modules/`)
    const addons = isSuspect ? [suspect] : []
    expect(tried).toEqual(all.map(({ name }) => ({ activity: name, addons, contacts: [], divergences: [] })))
  })
}
