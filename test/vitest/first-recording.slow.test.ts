import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { startSupportWorld } from '../../examples/support-agent/start-world.ts'
import { createVitestWorkspace, supportProject } from '../support/vitest-workspace.ts'

const ticket = 'Please cancel ord_1002, I ordered the chair in the wrong colour.'

/** A test of the user's that names a golden, and what its agent is given. */
const ownTest = (golden: string, agent: string, options: string): string => `import { expect, it } from 'vitest'
import { replay } from 'goldenrun/vitest'
import { ${agent} } from '../src/agents.ts'
it('${golden}', async () => {
  await expect(replay('${golden}', ${agent}, ${options})).toReplayWithoutDivergence()
})
`

const agents = `import { supportAgent } from './agent.ts'
export { supportAgent }
export const other = (input) => supportAgent(input)
export const failing = async () => { throw new TypeError('no key') }
`

it('records a missing golden with the input of the test', async () => {
  await using workspace = await createVitestWorkspace()
  const { 'golden-traces/cancel-unshipped.jsonl': _, 'golden-traces/refund-twice.jsonl': __, ...files } = await supportProject()
  const given = `{ input: { ticket: '${ticket}' } }`
  const project = await workspace.project({
    ...files,
    'src/agents.ts': agents,
    'goldenrun.config.ts': `export default { agents: { support: './src/agents.ts#supportAgent', other: './src/agents.ts#failing' } }\n`,
    'test/first.test.ts': ownTest('first', 'supportAgent', given),
    'test/named.test.ts': ownTest('named', 'other', given.replace('{ input', "{ agent: 'other', input")),
    'test/nobody.test.ts': ownTest('nobody', 'other', given),
    'test/failing.test.ts': ownTest('failing', 'failing', given),
    'test/without.test.ts': ownTest('without', 'supportAgent', '{}'),
  })
  const before = await project.vitest(['run', 'first', 'without'])
  expect(before.output).toContain(
    'TraceNotFoundError: There is no golden trace "first" yet. Record it: run this test with the environment variable GOLDENRUN=record, with the keys and the network that the agent needs.',
  )
  expect(before.output).toContain('TraceNotFoundError: There is no golden trace "without" in golden-traces')

  await using world = await startSupportWorld()
  const { output } = await project.vitest(['run', '--no-file-parallelism'], { ...world.env, GOLDENRUN: 'record' })
  expect(output).toContain('Recorded golden-traces/first.jsonl: review it and commit it.')
  expect(output).toContain(
    `GoldenrunError: Cannot record "nobody": cannot tell which agent it is, since goldenrun.config.ts names support, other. Name it: replay('nobody', agent, { agent: 'name', input })`,
  )
  expect(output).toContain('GoldenrunError: The live run of "failing" failed, so no golden was written: TypeError: no key')
  expect(output).toContain('Tests  3 failed | 2 passed (5)')
  const header = async (name: string): Promise<unknown> =>
    JSON.parse((await project.read(`golden-traces/${name}.jsonl`)).split('\n')[0] ?? '')
  expect(await header('first')).toMatchObject({
    agent: 'support',
    input: { ticket },
    golden: { name: 'first', expect: { replay: 'same' } },
  })
  expect(await header('named')).toMatchObject({ agent: 'other' })
  for (const name of ['nobody', 'failing', 'without'])
    expect(existsSync(path.join(project.path, `golden-traces/${name}.jsonl`))).toBe(false)

  await world.close()
  const after = await project.vitest(['run', 'first'])
  expect(after.output).toContain('Goldens  1 held (1)')
  expect(after.output).toContain('Tests  2 passed (2)')
}, 120_000)
