import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { wrapClient } from '../../src/run/wrap-client/wrap-client.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

class Database {
  readonly password = 'hunter2hunter2'
  readonly pool = { open: true }
  async find(id: string): Promise<{ id: string; status: string }> {
    return { id, status: 'packed' }
  }
}

interface Context {
  readonly database: Pick<Database, 'find'>
  readonly log: (line: string) => void
}

const agent = async (id: string, { database, log }: Context): Promise<string> => {
  log(`asked for ${id}`)
  return (await database.find(id)).status
}

it('hands the agent what cannot be recorded, and stores nothing of it', async () => {
  const lines: string[] = []
  const context: Context = { database: new Database(), log: (line) => lines.push(line) }
  const { trace, text } = await recordRun((id: string) => agent(id, context), { input: 'ord_1', context })
  expect([text.includes('hunter2'), text.includes('log'), lines]).toEqual([false, false, ['asked for ord_1']])
  const run = await replay(trace, agent, { context })
  expect([run.divergences, run.outcome, lines.length]).toEqual([[], { status: 'returned', output: 'packed' }, 2])
})

it('answers a wrapped client in the context from the trace, without a real call', async () => {
  const asked: string[] = []
  const connect = (): Pick<Database, 'find'> =>
    wrapClient('orders', {
      find: async (id: string) => {
        asked.push(id)
        return { id, status: asked.length === 1 ? 'packed' : 'lost' }
      },
    })
  const log = (): void => undefined
  const { trace } = await recordRun((id: string) => agent(id, { database: connect(), log }), { input: 'ord_1' })
  await expectClean(trace, agent as never, { context: { database: connect(), log } })
  expect(asked).toEqual(['ord_1'])
  const other = await replay(trace, (_id: string, context: Context) => agent('ord_2', context), { context: { database: connect(), log } })
  expect(other.divergences[0]).toMatchObject({ cause: 'input', name: 'orders.find' })
  // Put into the input, the client could not be found again.
  const bare = await recordRun(({ id, ...context }: Context & { id: string }) => agent(id, context), {
    input: { id: 'ord_1', database: new Database(), log },
  })
  expect((await replay(bare.trace, ({ id, ...context }: Context & { id: string }) => agent(id, context))).outcome.status).toBe('threw')
})
