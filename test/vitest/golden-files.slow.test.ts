import { afterAll, beforeAll, expect, it } from 'vitest'
import { createVitestWorkspace, supportProject, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'

let workspace: VitestWorkspace

beforeAll(async () => {
  workspace = await createVitestWorkspace()
}, 60_000)

afterAll(() => workspace[Symbol.asyncDispose]())

/** A project with the support agent and its goldens, and these files beside or in place of its own. */
async function createProject(files: Readonly<Record<string, string>> = {}): Promise<VitestProject> {
  return workspace.project({ ...(await supportProject()), ...files })
}

const cancelUnshipped = 'cancel-unshipped: An order that has not shipped is cancelled'
const refundTwice = 'refund-twice: The refund timed out after it was booked, so the agent booked another'

it('shows the line of the agent, and has it annotated', async () => {
  const project = await createProject()
  await project.edit('src/prompt.ts', 'three friendly sentences', 'three formal sentences')
  const { output } = await project.vitest(['run', 'cancel', '--reporter=default', '--reporter=github-actions'])
  expect(output).toContain(' ❯ src/agent.ts:30:22\n     28|   return {')
  expect(output).toContain(
    `::error file=<project>/src/agent.ts,title=golden-traces/cancel-unshipped.jsonl > ${cancelUnshipped.replace(':', '%3A')},line=30,column=22`,
  )
})

it('lists goldens without and with running them, picks them by name, and shares them out', async () => {
  const project = await createProject()
  const expected = [`golden-traces/cancel-unshipped.jsonl > ${cancelUnshipped}`, `golden-traces/refund-twice.jsonl > ${refundTwice}`]
  const lines = ({ output }: { readonly output: string }): string[] => output.split('\n').toSorted()
  expect(lines(await project.vitest(['list']))).toEqual(expected)
  expect(lines(await project.vitest(['list', '--no-static-parse']))).toEqual(expected)
  const picked = await project.vitest(['run', '-t', 'not shipped is cancelled'])
  expect(picked).toMatchObject({ status: 0, output: expect.stringContaining('Tests  1 passed | 1 skipped (2)') })
  expect(picked.output).toContain('Goldens  1 held (1)')
  const shared = [await project.vitest(['run', '--shard=1/2']), await project.vitest(['run', '--shard=2/2'])]
  const shards = shared.map(({ output }) => /Goldens .*/.exec(output)?.[0])
  expect(shards).toHaveLength(2)
  expect(shards).toEqual(expect.arrayContaining(['Goldens  1 held (1)', 'Goldens  1 repeated (1)']))
})

it.each(['forks', 'threads', 'vmThreads'])('replays goldens in the pool %s, retried and beside ordinary tests', async (pool) => {
  const project = await createProject({
    'golden-traces/orders/again.jsonl': (await supportProject())['golden-traces/cancel-unshipped.jsonl'] ?? '',
    'test/own.test.ts': `import { expect, it } from 'vitest'\nit('has a stand-in for a key', () => expect(process.env.OPENAI_API_KEY).toBe('goldenrun-stand-in-OPENAI_API_KEY'))\n`,
  })
  const { output, status } = await project.vitest(['run', '--pool', pool, '--retry=1'], { OPENAI_API_KEY: '' })
  expect(output).toContain('(retry x1)')
  expect(output).toContain('Test Files  1 failed | 3 passed (4)')
  expect(output).not.toContain('goldenrun/register:')
  expect(status).toBe(1)
})

it('fails a golden that cannot be replayed by its name, and leaves the others alone', async () => {
  const goldens = await supportProject()
  const golden = goldens['golden-traces/cancel-unshipped.jsonl'] ?? ''
  const project = await createProject({
    'golden-traces/refund-twice.jsonl': golden.replaceAll('cancel-unshipped', 'refund-twice').replace('"kind":"end"', '"kind":"fin"'),
    'golden-traces/empty.jsonl': '',
    'golden-traces/other.jsonl': golden.replaceAll('cancel-unshipped', 'other').replace('"agent":"support"', '"agent":"triage"'),
    'golden-traces/broken.jsonl': golden.replaceAll('cancel-unshipped', 'broken').replace('"agent":"support"', '"agent":"broken"'),
    'golden-traces/away.jsonl': golden.replaceAll('cancel-unshipped', 'away').replace('"agent":"support"', '"agent":"away"'),
    'golden-traces/nameless.jsonl': golden.replaceAll('cancel-unshipped', 'nameless').replace('"agent":"support"', '"agent":"nameless"'),
    'src/broken.ts': `throw new Error('this module cannot be loaded')\n`,
    'goldenrun.config.ts': `export default {
  agents: { support: './src/agent.ts#supportAgent', broken: './src/broken.ts', away: './src/away.ts', nameless: './src/agent.ts' },
}\n`,
  })
  const { output } = await project.vitest(['run', '--no-file-parallelism'])
  expect(output.split('\n').filter((line) => /^ ?\w*Error: |Tests |Goldens|^ *✓/.test(line))).toMatchInlineSnapshot(`
    [
      "✓ golden-traces/cancel-unshipped.jsonl (1 test)",
      "GoldenrunError: goldenrun.config.ts: agents.away is ./src/away.ts, which does not exist. Correct the path.",
      "Error: this module cannot be loaded",
      "GoldenrunError: golden-traces/empty.jsonl: the file is empty and has no run row. Restore it or delete it.",
      "GoldenrunError: The module of the agent has no function "default": it exports supportAgent. Correct it in goldenrun.config.ts.",
      "GoldenrunError: golden-traces/other.jsonl is a run of the agent "triage", and goldenrun.config.ts names only support, broken, away, nameless. Add it there: agents: { triage: './src/agent.ts#agent' }",
      "TraceFormatError: golden-traces/refund-twice.jsonl:84: there is no row of kind "fin": it has to be one of run, text, call, head, chunk, return, throw, timer, reads, signal, preamble, stand-in, checkpoint, note, end, closed. The file was edited by hand or damaged: restore it from version control, or promote the run again.",
      "      Tests  6 failed | 1 passed (7)",
      "     Goldens  6 could not run | 1 held (7)",
    ]
  `)
})

it('opens the doors before the setup files of the user are loaded, and sets keys after', async () => {
  const { 'vitest.config.ts': config = '', ...files } = await supportProject()
  const setup = `process.env.DOORS = String(Math.random.toString().includes('[native code]'))
process.env.OPENAI_API_KEY ??= 'of the user'
`
  const own = `import { expect, it } from 'vitest'
it('came second', () => expect([process.env.DOORS, process.env.OPENAI_API_KEY]).toEqual(['false', 'of the user']))
`
  const project = await workspace.project({
    ...files,
    'vitest.config.ts': config.replace('test: {', "test: { setupFiles: ['./setup.ts'],"),
    'setup.ts': setup,
    'test/own.test.ts': own,
  })
  const env = Object.fromEntries(['OPENAI_API_KEY'].map((name) => [name, undefined]))
  expect((await project.vitest(['run', 'own'], env)).output).toContain('Tests  1 passed (1)')
})

it('runs a golden once where several projects share its folder, and where tests are looked for elsewhere', async () => {
  const project = await createProject({
    'vitest.config.ts': `import { goldenrun } from 'goldenrun/vitest/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [goldenrun()],
  test: {
    dir: 'test',
    reporters: ['default'],
    projects: [
      { extends: true, test: { name: 'one', include: ['one.test.ts'] } },
      { extends: true, test: { name: 'two', include: ['two.test.ts'] } },
    ],
  },
})
`,
    'test/one.test.ts': `import { it } from 'vitest'\nit('is one', () => undefined)\n`,
    'test/two.test.ts': `import { it } from 'vitest'\nit('is two', () => undefined)\n`,
  })
  const { output } = await project.vitest(['run', '-t', 'is'])
  expect(output).toContain('Tests  3 passed | 1 skipped (4)')
  expect(output).toContain('Goldens  1 held (1)')
})

it('says what to write where there is no config, and takes it up without a cache', async () => {
  const { 'goldenrun.config.ts': config = '', ...files } = await supportProject()
  const project = await workspace.project(files)
  const without = await project.vitest(['run', 'cancel'])
  expect(without.output).toContain(
    'GoldenrunError: golden-traces/cancel-unshipped.jsonl is a run of the agent "support", and there is no goldenrun.config.ts that names it. ' +
      `Create one: export default defineConfig({ agents: { support: './src/agent.ts#agent' } })`,
  )
  await project.write('goldenrun.config.ts', config)
  expect((await project.vitest(['run', 'cancel'])).output).toContain('Goldens  1 held (1)')
})

it('refuses what reaches for the world outside of the run, and warns where the code goes on', async () => {
  const project = await createProject({
    'src/start.ts': `import { supportAgent as agent } from './agent.ts'
await fetch('http://127.0.0.1:54321/flags').catch(() => undefined)
export const supportAgent = agent
`,
    'goldenrun.config.ts': `export default { agents: { support: './src/start.ts#supportAgent' } }\n`,
    // The guard is a golden's: a test of the user's in the same process may reach for the world.
    'test/own.test.ts': `import net from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
it('reaches the world', async () => {
  await expect(once(net.connect(54321, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
})
`,
  })
  const { output } = await project.vitest(['run', 'cancel', 'own', '--no-isolate', '--no-file-parallelism'])
  const warning = 'goldenrun refused to contact 127.0.0.1:54321 (tcp)'
  expect(output).toContain(`${warning}: code outside of the run of golden-traces/cancel-unshipped.jsonl may not reach the outside world.`)
  expect(output).toContain('Tests  2 passed (2)')
  expect(output).toContain('Goldens  1 held (1)')
  const quietly = async (): Promise<void> => {
    const again = await project.vitest(['run', 'cancel'])
    expect(again.output).toContain('Goldens  1 held (1)')
    expect(again.output).not.toContain(warning)
  }
  await project.edit('goldenrun.config.ts', 'agents:', "refuse: ['127.0.0.1:54321'], agents:")
  await quietly()
  await project.edit('goldenrun.config.ts', "refuse: ['127.0.0.1:54321'], ", '')
  await project.edit('vitest.config.ts', 'goldenrun()', "goldenrun({ live: ['localhost'] })")
  await quietly()
})

it("replays with the config's context and defaults", async () => {
  const project = await createProject({
    'src/own.ts': `import { supportAgent } from './agent.ts'
export default async function own(input, { shop }) {
  if (shop !== 'Lumen') throw new Error('no shop')
  return supportAgent(input)
}
`,
    'goldenrun.config.ts': `import { defineConfig } from 'goldenrun/config'
export default defineConfig({
  agents: { support: { module: 'src/own.ts', context: async () => ({ shop: 'Lumen' }) } },
  replay: { ignore: ['messages[*].content'] },
})
`,
  })
  await project.edit('src/prompt.ts', 'three friendly sentences', 'three formal sentences')
  expect((await project.vitest(['run', 'cancel'])).output).toContain('Goldens  1 held (1)')
})

it('has Vitest know the module of a golden again, unless the golden or what the config says of its agent has changed', async () => {
  const project = await createProject()
  const run = async (): Promise<{ output: string; cache: string | undefined }> => {
    const { output } = await project.vitest(['run', 'cancel', '--expect.requireAssertions'], { DEBUG: 'vitest:cache:fs' })
    return { output, cache: /\[(\w+)\] \S*cancel-unshipped\.jsonl is cached in \S*\.vitest-cache/.exec(output)?.[1] }
  }
  expect(await run()).toEqual({ output: expect.stringContaining('Goldens  1 held (1)'), cache: 'write' })
  expect(await run()).toEqual({ output: expect.stringContaining('Goldens  1 held (1)'), cache: 'read' })
  await project.edit('golden-traces/cancel-unshipped.jsonl', 'An order that has not shipped', 'An order')
  expect(await run()).toEqual({ output: expect.stringContaining('Goldens  1 held (1)'), cache: 'write' })
  await project.write('src/other.ts', 'export const supportAgent = () => "nothing"\n')
  await project.edit('goldenrun.config.ts', './src/agent.ts', './src/other.ts')
  expect(await run()).toEqual({ output: expect.stringContaining('Goldens  1 not held (1)'), cache: 'write' })
  await project.edit('goldenrun.config.ts', './src/other.ts', './src/gone.ts')
  expect(await run()).toEqual({ output: expect.stringContaining('Goldens  1 could not run (1)'), cache: undefined })
  await project.edit('goldenrun.config.ts', './src/gone.ts', './src/agent.ts')
  expect(await run()).toEqual({ output: expect.stringContaining('Goldens  1 held (1)'), cache: 'read' })
}, 60_000)

it('runs a golden again when it or a module of its agent has changed', async () => {
  const project = await createProject()
  // What Vitest knows again from an earlier run is followed as well.
  await project.vitest(['run', 'cancel'])
  await using vitest = project.watch(['cancel'])
  expect(await vitest.printed(/Goldens {2}1 held[^]*(Waiting|Watching) for/)).toContain('(1)')
  await project.edit('src/prompt.ts', 'three friendly sentences', 'three formal sentences')
  expect(await vitest.printed(/Goldens {2}1 not held[^]*(Waiting|Watching) for/)).toContain('(1)')
  await project.edit('src/prompt.ts', 'three formal sentences', 'three friendly sentences')
  expect(await vitest.printed(/Goldens {2}1 held[^]*(Waiting|Watching) for/)).toContain('(1)')
  await project.edit('golden-traces/cancel-unshipped.jsonl', '"kind":"end"', '"kind":"fin"')
  expect(await vitest.printed(/Goldens {2}1 could not run[^]*(Waiting|Watching) for/)).toContain('(1)')
  await project.edit('golden-traces/cancel-unshipped.jsonl', '"kind":"fin"', '"kind":"end"')
  expect(await vitest.printed(/Goldens {2}1 held[^]*(Waiting|Watching) for/)).toContain('(1)')
  await project.edit('goldenrun.config.ts', 'supportAgent', 'nobody')
  expect(await vitest.printed(/Goldens {2}1 could not run[^]*(Waiting|Watching) for/)).toContain('(1)')
  await project.edit('goldenrun.config.ts', 'nobody', 'supportAgent')
  expect(await vitest.printed(/Goldens {2}1 held[^]*(Waiting|Watching) for/)).toContain('(1)')
}, 60_000)

it('runs the tests again that name a golden which has changed, and no others', async () => {
  const test = (body: string): string => `import { expect, it } from 'vitest'
import { describeGolden, replay } from 'goldenrun/vitest'
import { supportAgent } from '../src/agent.ts'
${body}
`
  const project = await createProject({
    'test/named.test.ts': test(
      "it('named', async () => expect(await replay('cancel-unshipped', supportAgent)).toReplayWithoutDivergence())",
    ),
    'test/described.test.ts': test(
      "describeGolden('cancel-*', supportAgent, (golden, run) => it('described', () => expect(run).toReplayWithoutDivergence()))",
    ),
    'test/other.test.ts': test("it('other', () => expect(typeof replay).toBe('function'))"),
  })
  await using vitest = project.watch(['cancel', 'test/'])
  expect(await vitest.printed(/Goldens {2}1 held[^]*(Waiting|Watching) for/)).toContain('Tests  4 passed (4)')
  await project.edit('golden-traces/cancel-unshipped.jsonl', '"kind":"end"', '"kind":"fin"')
  expect(await vitest.printed(/Goldens {2}1 could not run[^]*(Waiting|Watching) for/)).toContain('Test Files  3 failed (3)')
  await project.edit('golden-traces/cancel-unshipped.jsonl', '"kind":"fin"', '"kind":"end"')
  expect(await vitest.printed(/Goldens {2}1 held[^]*(Waiting|Watching) for/)).toContain('Tests  3 passed (3)')
}, 60_000)
