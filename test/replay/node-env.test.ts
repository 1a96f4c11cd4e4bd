import { expect, it, onTestFinished } from 'vitest'
import { renderDivergences } from '../../src/divergence/create-report.ts'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { tool } from '../../src/run/tool.ts'
import type { RecordedRun } from '../support/record-run.ts'
import { recordRun } from '../support/record-run.ts'

const send = tool('send', { effect: 'write' }, async (args: object) => Object.keys(args).length)

it('keeps NODE_ENV in every recording', async () => {
  const { trace } = await recordedUnder('production', async () => await send({}))
  expect(trace.header.runtime).toMatchObject({ env: {}, nodeEnv: 'production' })
  expect((await recordedUnder(undefined, async () => await send({}))).trace.header.runtime.nodeEnv).toBeNull()
})

it('gives a replay its own NODE_ENV', async () => {
  const { trace } = await recordedUnder('production', async () => await send({}))
  const run = await replay(trace, async () => {
    await send({})
    return process.env['NODE_ENV']
  })
  expect(run.outcome).toMatchObject({ output: 'test' })
})

it('names both where an SDK draws fewer ids under test and one correspondence explains the rest', async () => {
  const agent = async (): Promise<unknown> => {
    const span = process.env['NODE_ENV'] === 'test' ? undefined : crypto.randomUUID()
    const id = crypto.randomUUID()
    await send({ id, isTraced: span === id })
    return undefined
  }
  const { trace } = await recordedUnder('production', agent)
  const run = await replay(trace, agent)
  expect(run.divergences).toEqual([])
  expect(run.nodeEnvs).toEqual({ recorded: 'production', replayed: 'test' })
  expect(tell(run)).toContain(
    `Note: If the agent's code did not change, NODE_ENV may be why it reads the clock and random values differently. NODE_ENV was "production" in the recording; here it is "test".`,
  )
})

it('names both where that turns the run red', async () => {
  const agent = async (): Promise<unknown> => {
    const spans = process.env['NODE_ENV'] === 'test' ? [] : [crypto.randomUUID()]
    return await send({ spans, id: crypto.randomUUID() })
  }
  const { trace } = await recordedUnder(undefined, agent)
  const run = await replay(trace, agent)
  expect(run.divergences[0]).toMatchObject({ cause: 'input', parts: ['args'] })
  expect(tell(run)).toContain('NODE_ENV was not set in the recording; here it is "test".')
})

it('says that an older recording does not tell', async () => {
  const { trace } = await recordRun(async () => await send({ id: crypto.randomUUID() }))
  const { nodeEnv: _, ...runtime } = trace.header.runtime
  const run = await replay({ ...trace, header: { ...trace.header, runtime } }, async () => {
    crypto.randomUUID()
    return await send({ id: crypto.randomUUID() })
  })
  expect(tell(run)).toContain('The recording does not say what NODE_ENV was; here it is "test".')
})

it('says nothing where reads follow from another call, under the same NODE_ENV', async () => {
  const { trace } = await recordRun(async () => await send({ amount: 1 }))
  const run = await replay(trace, async () => {
    Date.now()
    return await send({ amount: 2 })
  })
  expect(run.divergences[0]).toMatchObject({ cause: 'input' })
  expect(tell(run)).not.toContain('NODE_ENV')
  const { nodeEnv: _, ...runtime } = trace.header.runtime
  const older = await replay({ ...trace, header: { ...trace.header, runtime } }, async () => {
    Date.now()
    return await send({ amount: 2 })
  })
  expect(tell(older)).not.toContain('NODE_ENV')
})

it('says nothing where NODE_ENV is the same, though draws do not line up', async () => {
  const { trace } = await recordedUnder('test', async () => await send({ id: crypto.randomUUID() }))
  const run = await replay(trace, async () => {
    crypto.randomUUID()
    return await send({ id: crypto.randomUUID() })
  })
  expect(tell(run)).not.toContain('NODE_ENV')
})

it('says nothing where the agent failed before it had drawn', async () => {
  const { trace } = await recordedUnder('production', async () => await send({ id: crypto.randomUUID() }))
  const run = await replay(trace, async () => {
    throw new Error('no key')
  })
  expect(run.divergences[0]).toMatchObject({ cause: 'missing-call' })
  expect(tell(run)).not.toContain('NODE_ENV')
})

it('says nothing where the replay draws more under test, since SDKs draw less there', async () => {
  const agent = async (): Promise<number> => await send({ id: crypto.randomUUID() })
  const { trace } = await recordedUnder('production', agent)
  const run = await replay(trace, async () => {
    const sent = await agent()
    crypto.randomUUID()
    return sent
  })
  expect([run.divergences, run.drewMore]).toEqual([[], true])
  expect(tell(run)).not.toContain('NODE_ENV')
})

it('is not cut off in a narrow terminal', async () => {
  const agent = async (): Promise<unknown> => {
    const spans = process.env['NODE_ENV'] === 'test' ? [] : [crypto.randomUUID()]
    return await send({ spans, id: crypto.randomUUID() })
  }
  const { trace } = await recordedUnder('production', agent)
  expect(renderDivergences(await replay(trace, agent), { color: false, width: 80 })).toContain(`
Note: If the agent's code did not change, NODE_ENV may be why it reads the clock
  and random values differently. NODE_ENV was "production" in the recording;
  here it is "test".
`)
})

it('says nothing where draws line up', async () => {
  const agent = async (): Promise<number> => await send({ id: crypto.randomUUID(), at: Date.now() })
  const { trace } = await recordedUnder('production', agent)
  const run = await replay(trace, agent)
  expect(run.nodeEnvs).toBeUndefined()
  expect(tell(run)).not.toContain('NODE_ENV')
})

async function recordedUnder<Output>(value: string | undefined, agent: () => Promise<Output>): Promise<RecordedRun<Output>> {
  const before = process.env['NODE_ENV']
  const set = (wanted: string | undefined): void => {
    if (wanted === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = wanted
  }
  onTestFinished(() => set(before))
  set(value)
  try {
    return await recordRun(agent)
  } finally {
    set(before)
  }
}

function tell(run: ReplayedRun): string {
  return renderDivergences(run, { color: false, width: 400 })
}
