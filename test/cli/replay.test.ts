import { expect, it, vi } from 'vitest'
import { supportProject } from '../support/vitest-workspace.ts'
import { askedMeanwhileCases, createProject, setUpReplayProjects, testAskedMeanwhile, workspace } from '../support/replay-projects.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

setUpReplayProjects()

it('replays a golden that holds', async () => {
  const project = await createProject()
  expect(await project.goldenrun(['replay', 'cancel-unshipped'])).toEqual({
    status: 0,
    stdout: '1 trace replayed: 1 held.\n',
    stderr: '',
  })
})

it('reports a refused call that is not awaited', async () => {
  const project = await createProject()
  const signature = 'supportAgent(input: SupportInput): Promise<SupportOutput> {'
  await project.edit('src/agent.ts', signature, `${signature}\n  void fetch('https://audit.example/seen')`)
  const { status, stdout } = await project.spawn(['replay', 'cancel-unshipped'])
  expect(status).toBe(1)
  expect(stdout).toContain('audit.example')
  expect(stdout).toContain('1 trace replayed: 1 not held.')
})

// Other ways in which an agent is told of it: replay.slow.test.ts. What is reported of a change: replay-reports.slow.test.ts.

it('does not hold an incident that the agent repeats', async () => {
  const { status, stdout } = await (await createProject()).goldenrun(['replay', 'refund-twice'])
  expect(stdout).toMatch(/^Failed to hold "refund-twice": the agent still repeats the incident\.\n/)
  expect(stdout).toMatch(/\n\n1 trace replayed: 1 repeated\.\n$/)
  expect(status).toBe(1)
})

it('takes names, patterns, paths and recordings, each trace once', async () => {
  const project = await createProject()
  const golden = await project.read('golden-traces/cancel-unshipped.jsonl')
  const [header = '', ...rest] = golden.split('\n')
  const { golden: _, ...recorded } = JSON.parse(header) as { golden: unknown; id: string }
  await project.write(`.goldenrun/runs/${recorded.id}.jsonl`, [JSON.stringify(recorded), ...rest].join('\n'))
  const wanted = [
    'cancel-unshipped',
    'cancel-*',
    'golden-traces/cancel-unshipped.jsonl',
    './golden-traces/c*.jsonl',
    recorded.id.slice(0, 12),
  ]
  const { stdout, status } = await project.goldenrun(['replay', ...wanted, '--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    traces: [
      { name: 'cancel-unshipped', status: 'held' },
      { name: recorded.id, file: `.goldenrun/runs/${recorded.id}.jsonl`, status: 'held' },
    ],
    reports: [],
  })
  expect(status).toBe(0)
  expect(await project.goldenrun(['replay', 'latest'])).toMatchObject({ status: 0 })
})

it('refuses what reaches for the world beside the run, warns of it, and keeps what an agent prints out of its own output', async () => {
  const project = await createProject({
    'src/start.ts': `import { supportAgent as agent } from './agent.ts'
console.log('the agent is loaded')
setInterval(() => undefined, 1000)
await fetch('http://127.0.0.1:54321/flags').catch(() => undefined)
export const supportAgent = agent
`,
  })
  await project.edit('goldenrun.config.ts', './src/agent.ts', 'src/start.ts')
  const { status, stdout, stderr } = await project.spawn(['replay', 'cancel-unshipped', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    counts: { couldNotRun: 0, held: 1 },
    traces: [{ status: 'held' }],
  })
  expect(stderr).toMatch(/^the agent is loaded\n\(node:\d+\) Warning: goldenrun refused to contact 127\.0\.0\.1:54321 \(tcp\)/)
  expect(stderr).toContain("refuse: ['127.0.0.1:54321'] in goldenrun.config.ts")
  expect(status).toBe(0)
})

testAskedMeanwhile(askedMeanwhileCases.slice(0, 1))

it('says which could not be replayed, and why, and replays the others', async () => {
  const golden = (await supportProject())['golden-traces/cancel-unshipped.jsonl'] ?? ''
  const project = await createProject({
    'golden-traces/empty.jsonl': '',
    'golden-traces/other.jsonl': golden.replaceAll('cancel-unshipped', 'other').replace('"agent":"support"', '"agent":"triage"'),
  })
  const { status, stdout } = await project.goldenrun(['replay', 'cancel-unshipped', 'empty', 'other', 'none'])
  expect(stdout).toMatchInlineSnapshot(`
    "Could not replay empty: golden-traces/empty.jsonl: the file is empty and has no run row. The file was edited by hand or damaged: restore it from version control, or promote the run again.

    Could not replay other: golden-traces/other.jsonl is a run of the agent "triage", and goldenrun.config.ts names only support. Add it there: agents: { triage: './src/agent.ts#agent' }

    Could not replay none: There is no golden trace "none" in golden-traces, and no recording with that id in .goldenrun/runs. The nearest: other, empty, refund-twice. To see all traces: npx goldenrun list

    4 traces replayed: 3 could not run, 1 held.
    "
  `)
  expect(status).toBe(2)
})

it('says what there is where nothing matches, and where there is no golden', async () => {
  const project = await createProject()
  expect(await project.goldenrun(['replay', 'cancl-*'])).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'No golden trace in golden-traces matches "cancl-*". The nearest: cancel-unshipped, refund-twice. To see all traces: npx goldenrun list\n',
  })
  const empty = await workspace.project({ 'golden-traces/.keep': '' })
  expect(await empty.goldenrun(['replay'])).toEqual({
    status: 2,
    stdout: '',
    stderr: 'There is no golden trace in golden-traces. Make one: npx goldenrun promote latest --name <name>\n',
  })
})
