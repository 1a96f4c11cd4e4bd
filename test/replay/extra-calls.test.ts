import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import { expectClean } from '../support/replay-clean.ts'
import { recordRun } from '../support/record-run.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const refund = tool('refund', { effect: 'write' }, async (order: string) => order)
const ask = external('ask', async (_what: string) => await pause(60))
const again = (): Promise<string> => refund('ord_1')
const quietly = (promise: Promise<unknown>): void => void promise.catch(() => undefined)

/** Ways to refund once more while another call is in progress, by a timer that the recorded run did not have. */
const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  'a timer, set before the call': async () => (setTimeout(() => quietly(again()), 5), await ask('page')),
  'a timer, set after the call': async () => {
    const page = ask('page')
    setTimeout(() => quietly(again()), 5)
    await page
  },
  'a pause and then': async () => (quietly(pause(5).then(again)), await ask('page')),
  'a branch that nobody awaits': async () => (quietly((async () => (await pause(5), await again()))()), await ask('page')),
  'a branch beside the call': async () => await Promise.all([ask('page'), (async () => (await pause(5), await again()))()]),
  'a branch that catches': async () => await Promise.all([ask('page'), (async () => (await pause(5), await again().catch(() => 0)))()]),
  'a race of the call and a pause': async () => {
    const page = ask('page')
    await Promise.race([page, pause(5)])
    quietly(again())
    await page
  },
}

it.each(Object.entries(ways))('reports an extra call as such, made by %s', async (_way, wait) => {
  const agent = async (extra: boolean): Promise<string> => {
    await refund('ord_1')
    await (extra ? wait() : ask('page'))
    return 'done'
  }
  const { trace } = await recordRun(() => agent(false))
  await expectClean(trace, () => agent(false))
  const { divergences } = await replay(trace, () => agent(true))
  expect(divergences[0]).toMatchObject({ cause: 'unexpected-call', name: 'refund', step: 2, received: 'ord_1' })
  expect(divergences.map(({ cause }) => cause)).not.toContain('time-limit')
})

const notify = external('notify', async (_message: object) => 'sent')

it('reports a retry that loses its flag as a changed call, and a retry that is new as an extra one', async () => {
  const agent = async (...messages: readonly object[]): Promise<void> => {
    for (const message of messages) await notify(message)
    await ask('end')
  }
  const first = { to: 'ann' }
  const retried = await recordRun(() => agent(first, { ...first, retry: 1 }))
  for (const retry of [{ ...first, retry: 2 }, first]) {
    const { divergences } = await replay(retried.trace, () => agent(first, retry))
    expect(divergences[0]).toMatchObject({ cause: 'input', step: 2, differences: [{ expected: 1 }] })
  }
  const once = await recordRun(() => agent(first, { to: 'bob' }))
  const { divergences } = await replay(once.trace, () => agent(first, first, { to: 'bob' }))
  expect(divergences[0]).toMatchObject({ cause: 'unexpected-call', step: 1, position: 'after' })
})
