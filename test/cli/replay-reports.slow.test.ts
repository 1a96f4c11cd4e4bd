import { expect, it, vi } from 'vitest'
import { reportSchema } from '../../scripts/report-schema.ts'
import { runCommand } from '../support/run-command.ts'
import { supportProject } from '../support/vitest-workspace.ts'
import { changeThePrompt, createProject, setUpReplayProjects, workspace } from '../support/replay-projects.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

setUpReplayProjects()

it('writes a page of each trace that does not hold with --html', async () => {
  const project = await createProject()
  await changeThePrompt(project)
  const { status, stdout } = await project.goldenrun(['replay', '--html', 'out'])
  expect(status).toBe(1)
  expect(stdout).toContain('\n\nTo see the runs:\n  out/cancel-unshipped.red.html\n  out/refund-twice.red.html\n\n2 traces replayed: ')
  expect(await project.read('out/cancel-unshipped.red.html')).toContain('<title>cancel-unshipped · goldenrun</title>')
  const { stdout: json } = await project.goldenrun(['replay', 'refund-twice', '--html', 'out', '--json'])
  expect(JSON.parse(json)).toMatchObject({ traces: [{ name: 'refund-twice', status: 'repeated', page: 'out/refund-twice.red.html' }] })
})

it('prints a block for each that does not hold, holds incidents to what they expect, and counts all', async () => {
  const project = await createProject()
  await changeThePrompt(project)
  const { status, stdout } = await project.goldenrun(['replay'])
  expect(stdout).toMatchInlineSnapshot(`
    "Failed to replay "cancel-unshipped": step 1 diverged (input: system prompt).
      An order that has not shipped is cancelled

    >   1  model     openai.chat (gpt-4.1-mini, 1 message) → "Let me look at that order." get_order({"order_id":"ord_1002"})

    The agent called the model with a different system prompt.
        messages[0].content
          expected  …cket on to a person.\\n\\nAnswer in two or three friendly sentences, without headings or lists. Do not p…
          received  …cket on to a person.\\n\\nAnswer in two or three formal sentences, without headings or lists. Do not pro…
        at        src/agent.ts:30:22

    To accept the new input, record the run again and promote it.
    To stop there in a debugger: npx goldenrun debug cancel-unshipped --at 1


    Failed to hold "refund-twice": the agent still repeats the incident.
      The refund timed out after it was booked, so the agent booked another

        3  http      GET http://127.0.0.1:4020/v1/orders/ord_1001 → 200 {"id":"ord_1001","status":"shipped","item":"Desk la…
        4  model     openai.chat (gpt-4.1-mini, 3 messages) → refund_order({"order_id":"ord_1001","amount":4900})
        5  tool      refund_order({"order_id":"ord_1001","amount":4900}) → throws TypeError: fetch failed
        6  http      POST http://127.0.0.1:4020/v1/refunds {"order_id":"ord_1001","… → throws SocketError: other side closed
    >   7  tool      refund_order({"order_id":"ord_1001","amount":4900}) → {"id":"re_2","order_id":"ord_1001","amount":4900…

    Step 7 makes refund_order({"order_id":"ord_1001","amount":4900}) again, first made at step 5.
        at        src/run-tool.ts:36:74

    Step 1 called the model with a changed request and got the recorded answer. If the fix is in the prompt, no recorded answer can tell whether it works: the model itself has to be called.
    Fix the agent, not the golden.
    To stop there in a debugger: npx goldenrun debug refund-twice --at 7

    2 traces replayed: 1 not held, 1 repeated.
    "
  `)
  expect(status).toBe(1)
})

it('tells the same change once, in a terminal, as JSON of the published schema, and as Markdown', async () => {
  const golden = (await supportProject())['golden-traces/cancel-unshipped.jsonl'] ?? ''
  const project = await createProject({
    'golden-traces/orders/cancel-2.jsonl': golden.replaceAll('cancel-unshipped', 'orders/cancel-2'),
  })
  await changeThePrompt(project)
  const { stdout } = await project.goldenrun(['replay', 'cancel-*'])
  expect(stdout.match(/^Failed to replay/gm)).toHaveLength(1)
  expect(stdout).toMatch(/\n\nThe same in 1 more: orders\/cancel-2\n\n2 traces replayed: 2 not held\.\n$/)

  const json = await project.goldenrun(['replay', 'cancel-*', '--json'])
  const { counts, traces, reports } = JSON.parse(json.stdout) as { counts: unknown; traces: unknown; reports: unknown[] }
  expect(counts).toEqual({ held: 0, notHeld: 2, repeated: 0, notExercised: 0, failed: 0, couldNotRun: 0 })
  expect(traces).toEqual([
    { name: 'cancel-unshipped', file: 'golden-traces/cancel-unshipped.jsonl', status: 'not held' },
    { name: 'orders/cancel-2', file: 'golden-traces/orders/cancel-2.jsonl', status: 'not held' },
  ])
  expect(reports.map((report) => reportSchema.parse(report))).toMatchObject([
    {
      trace: { name: 'cancel-unshipped' },
      divergence: { cause: 'input', site: { file: 'src/agent.ts', line: 30, column: 22 } },
      alsoIn: ['orders/cancel-2'],
    },
  ])

  const markdown = await project.goldenrun(['replay', 'cancel-*', '--markdown'])
  expect(markdown.stdout).toMatch(/^### Failed to replay "cancel-unshipped": step 1 diverged \(input: system prompt\)\.\n/)
  expect(markdown.stdout).toMatch(/\n\nThe same in 1 more: `orders\/cancel-2`\n\n2 golden traces: 2 not held\.\n$/)
})

it('advises commands that a shell can run', async () => {
  const project = await workspace.project(await supportProject())
  const manifest = '{ "name": "support", "private": true, "type": "module", "devDependencies": { "goldenrun": "*", "vitest": "*" } }\n'
  await project.write('package.json', manifest)
  await changeThePrompt(project)
  for (const format of [[], ['--markdown']]) {
    const { stdout } = await runCommand(project.path, ['replay', 'cancel-unshipped', ...format])
    expect(stdout).toContain('npx vitest run golden-traces/cancel-unshipped.jsonl -u')
    expect(stdout).not.toMatch(/(?<!npx )vitest run/)
  }
})

it('continues on request, and names the consequences', async () => {
  const project = await createProject()
  await changeThePrompt(project)
  const stopped = await project.goldenrun(['replay', 'cancel-unshipped', '--json'])
  const whole = await project.goldenrun(['replay', 'cancel-unshipped', '--json', '--on-divergence', 'continue'])
  const consequences = ({ stdout }: { readonly stdout: string }): number =>
    (JSON.parse(stdout) as { reports: [{ consequences: unknown[] }] }).reports[0].consequences.length
  expect(consequences(stopped)).toBe(0)
  expect(consequences(whole)).toBe(2)
})

it('lets a model stand in for another whose names are both typed out', async () => {
  const project = await createProject()
  await project.edit('src/agent.ts', 'gpt-4.1-mini', 'gpt-5-mini')
  const refused = await project.goldenrun(['replay', 'cancel-unshipped'])
  expect(refused.stdout).toContain('step 1 diverged (model drift)')
  const allowed = "allowModelDrift: [{ from: 'gpt-4.1-mini', to: 'gpt-5-mini' }]"
  expect(refused.stdout).toContain(`To allow the new model, in goldenrun.config.ts:
  replay: { ${allowed} }
Or, if its answers matter, record the run again and promote it.
`)
  expect(await project.goldenrun(['replay', 'cancel-unshipped', '--allow-model-drift', 'gpt-4.1-mini=gpt-5-mini'])).toMatchObject({
    status: 0,
  })
  expect(await project.goldenrun(['replay', '--allow-model-drift', 'gpt-5-mini'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('It has to name both models: gpt-4.1-mini=gpt-5-mini.'),
  })
  await project.edit('goldenrun.config.ts', 'defineConfig({', `defineConfig({ replay: { ${allowed} },`)
  expect(await project.goldenrun(['replay', 'cancel-unshipped'])).toMatchObject({ status: 0 })
})
