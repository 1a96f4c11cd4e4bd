import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import http from 'node:http'
import type { LookupFunction } from 'node:net'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { replay } from '../../src/replay/replay.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import { isLog, readLog } from '../../src/stores/event-log/read-log.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const key = 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2'
const mailbox = 'ann.lee@firm.de'

const server = await listen(async (_request, response) => {
  response.setHeader(`x-${key.toLowerCase()}`, '1')
  response.end('{}')
})
afterAll(() => server.close())

/** Asks a host that no name server knows. */
async function ask(host: string): Promise<void> {
  const lookup: LookupFunction = (_name, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }])
  const [answer] = (await once(http.get({ host, port: new URL(server.url).port, lookup }), 'response')) as [http.IncomingMessage]
  await once(answer.resume(), 'end')
}

class OddError extends Error {
  override name = `Error of ${mailbox}`
}
Object.defineProperty(OddError, 'name', { value: `OddErrorOf${key}` })

/** Whose names have a person and a key in them: the host of a tenant, a tool for each customer. */
const agentFor = (customer: string) => async (): Promise<string> => {
  await tool(`mail ${customer}`, {}, async (text: string) => text.length)('hello')
  await external(`look up ${customer}`, async () => {
    throw new OddError('no such customer')
  })().catch(() => undefined)
  checkpoint(`told ${customer}`, { done: true })
  await ask(`${key.toLowerCase()}.localhost`)
  return 'done'
}

async function filesIn(directory: string): Promise<string> {
  const names = await readdir(directory, { recursive: true })
  const texts = names.map(async (name) => {
    const bytes = await readFile(path.join(directory, name)).catch(() => Buffer.alloc(0))
    return `${name}\n${isLog(bytes) ? Buffer.from(readLog(bytes, name)).toString() : bytes.toString('latin1')}`
  })
  return (await Promise.all(texts)).join('\n')
}

it('keeps no secret that stands in a name: of an agent, a tool, a checkpoint, a host, a header, an error and its class', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs') })
  await recorder.run({ agent: `helper of ${mailbox}`, input: undefined }, agentFor(mailbox))
  await recorder.close()
  const written = await filesIn(directory.path)
  expect(written).toMatch(/told [^"]+@[^"]+\.(?:zz|alt|test|onion|invalid|z+)/)
  expect(written).not.toContain(mailbox)
  expect(written.toLowerCase()).not.toContain(key.toLowerCase())

  const [name = ''] = (await readdir(directory.resolve('runs'))).filter((each) => each !== 'index')
  const trace = await readTrace(directory.resolve('runs', name))
  expect(trace.steps.map((step) => step.name)).toHaveLength(3)
  const run = await replay(trace, agentFor(mailbox), { agent: `helper of ${mailbox}` })
  expect(run.divergences).toEqual([])
  expect(run.hash).toBe(trace.hash)
  await expect(replay(trace, agentFor(mailbox), { agent: 'helper of nobody' })).rejects.toThrow('is a run of the agent')
  expect((await replay(trace, agentFor('all of them'))).divergences).not.toEqual([])
})
