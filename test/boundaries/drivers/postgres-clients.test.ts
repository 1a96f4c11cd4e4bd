import { once } from 'node:events'
import { createServer } from 'node:net'
import postgres from 'postgres'
import { expect, it } from 'vitest'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'

/** A port at which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}

it('meets clients of postgres when they are made, whoever has loaded it', async () => {
  const port = await closedPort()
  const agent = async (): Promise<unknown> => {
    const sql = postgres({ host: '127.0.0.1', port, max: 1 })
    const failed: unknown = await sql`SELECT ${1}::int`.catch((error: NodeJS.ErrnoException) => error.code)
    await sql.end({ timeout: 0 })
    return failed
  }
  const { trace, text, output } = await recordRun(agent)
  expect(output).toBe('ECONNREFUSED')
  expect(trace.steps.map(({ name, input }) => [name, input])).toEqual([['postgres SELECT', { sql: 'SELECT $1::int', values: [1] }]])
  expect(text).not.toContain('unrecorded-contact')
  const { divergences, outcome } = await replay(trace, agent)
  expect([divergences, outcome]).toEqual([[], { status: 'returned', output: 'ECONNREFUSED' }])
})

it('leaves what is assigned to a function as the program assigns it, and nothing when the doors are shut', () => {
  const value = class PostgresError extends Error {}
  const plain = Object.assign(() => undefined, { PostgresError: value })
  const release = installDoors()
  const assigned = Object.assign(() => undefined, { PostgresError: value })
  expect(Object.getOwnPropertyDescriptors(assigned)).toEqual(Object.getOwnPropertyDescriptors(plain))
  const sealed = Object.freeze(() => undefined)
  expect(() => Object.assign(sealed, { PostgresError: value })).toThrow(TypeError)
  release()
  expect('PostgresError' in Function.prototype).toBe(false)
})
