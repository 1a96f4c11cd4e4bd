import { afterEach, expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

const names = ['GOLDENRUN_TEST_MODEL', 'GOLDENRUN_TEST_FLAG'] as const
const [model, flag] = names
afterEach(() => {
  for (const name of names) delete process.env[name]
})
const ask = tool('ask', {}, async (args: unknown) => args)

/** Every way to look at the environment. */
const agent = async (): Promise<unknown> => {
  const { GOLDENRUN_TEST_MODEL, ...rest } = process.env
  return await ask({
    read: [process.env[model], process.env[flag]],
    has: names.map((name) => name in process.env),
    own: names.map((name) => Object.hasOwn(process.env, name)),
    keys: Object.keys(process.env).filter((name) => name.startsWith('GOLDENRUN_TEST_')),
    spread: [GOLDENRUN_TEST_MODEL, rest[flag], { ...process.env }[model]],
  })
}

async function recordWith(env: readonly string[]): ReturnType<typeof recordRun<Promise<unknown>>> {
  process.env[model] = 'gpt-4.1'
  delete process.env[flag]
  const recorded = await recordRun(agent, { recorder: { env } })
  process.env[model] = 'gpt-5'
  process.env[flag] = 'on'
  return recorded
}

it('leaves to the process which programs it runs, whatever a trace says', async () => {
  const machine = ['PATH', 'Path', 'NODE_OPTIONS', 'LD_PRELOAD', 'GIT_SSH_COMMAND', 'npm_config_registry']
  const { trace } = await recordRun(async () => 'done')
  const env = Object.fromEntries(machine.map((name) => [name, '/hostile']))
  const hostile = { ...trace, header: { ...trace.header, runtime: { ...trace.header.runtime, env: { ...env, [model]: 'gpt-4.1' } } } }
  let seen: unknown
  await replay(hostile, async () => {
    seen = [machine.map((name) => process.env[name]), Object.values({ ...process.env }).includes('/hostile'), process.env[model]]
    return 'done'
  })
  expect(seen).toEqual([machine.map((name) => process.env[name]), false, 'gpt-4.1'])
})

it('gives a replay the variables of its recording, those that were not set as not set', async () => {
  const { trace } = await recordWith(names)
  expect(trace.header.runtime.env).toEqual({ [model]: 'gpt-4.1', [flag]: null })
  await expectClean(trace, agent)
  expect([process.env[model], process.env[flag]]).toEqual(['gpt-5', 'on'])
})

it('is red for the surroundings alone where they were not recorded', async () => {
  const { trace } = await recordWith([])
  expect((await replay(trace, agent)).divergences[0]).toMatchObject({ cause: 'input', step: 1 })
})

it('shows what a run writes to them to that run alone', async () => {
  const writing = async (): Promise<unknown> => {
    process.env[model] = 'o5'
    process.env[flag] = 'off'
    const seen = [process.env[model], process.env[flag]]
    delete process.env[flag]
    return await ask([...seen, process.env[flag], flag in process.env])
  }
  const { trace } = await recordRun(writing, { recorder: { env: names } })
  Object.assign(process.env, { [model]: 'gpt-5', [flag]: 'on' })
  await Promise.all([expectClean(trace, writing), expectClean(trace, writing)])
  expect([process.env[model], process.env[flag]]).toEqual(['gpt-5', 'on'])
})
