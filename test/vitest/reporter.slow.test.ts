import { afterAll, beforeAll, expect, it } from 'vitest'
import { reportSchema } from '../../scripts/report-schema.ts'
import { createVitestWorkspace, supportProject, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'

let workspace: VitestWorkspace

beforeAll(async () => {
  workspace = await createVitestWorkspace()
}, 60_000)

afterAll(() => workspace[Symbol.asyncDispose]())

/** A project with three goldens of an ordinary run, a changed prompt, and files for what does not hold. */
async function createProject(): Promise<VitestProject> {
  const { 'golden-traces/cancel-unshipped.jsonl': golden = '', 'golden-traces/refund-twice.jsonl': _, ...files } = await supportProject()
  const goldens = ['cancel-1', 'cancel-2', 'cancel-3'].map((name) => [
    `golden-traces/${name}.jsonl`,
    golden.replaceAll('cancel-unshipped', name),
  ])
  const project = await workspace.project({ ...files, ...Object.fromEntries(goldens) })
  await project.edit(
    'vitest.config.ts',
    'goldenrun()',
    "goldenrun({ jsonFile: 'reports/goldens.json', markdownFile: 'reports/goldens.md' })",
  )
  await project.edit('src/prompt.ts', 'three friendly sentences', 'three formal sentences')
  return project
}

it('writes each change once, as JSON, as Markdown, and into the summary of a job', async () => {
  const project = await createProject()
  await project.write('summary.md', 'Before.\n\n')
  const { status, output } = await project.vitest(['run', '--no-file-parallelism'], { GITHUB_STEP_SUMMARY: `${project.path}/summary.md` })
  expect(output).toContain('Goldens  3 not held (3)')
  expect(status).toBe(1)
  const reports = JSON.parse(await project.read('reports/goldens.json')) as unknown[]
  expect(reports).toHaveLength(1)
  expect(reportSchema.parse(reports[0])).toMatchObject({
    trace: { name: 'cancel-1' },
    alsoIn: ['cancel-2', 'cancel-3'],
    divergence: { cause: 'input', parts: ['system-prompt'], site: { file: 'src/agent.ts', line: 30 } },
    advice: [{ command: 'npx vitest run golden-traces/cancel-1.jsonl -u' }, { command: 'npx goldenrun debug cancel-1 --at 1' }],
  })
  const markdown = await project.read('reports/goldens.md')
  expect(markdown).toMatchInlineSnapshot(`
    "### Failed to replay "cancel-1": step 1 diverged (input: system prompt).

    > An order that has not shipped is cancelled

    The agent called the model with a different system prompt. The call is made at \`src/agent.ts:30:22\`.

    \`messages[0].content\`

    \`\`\`diff
    - … ticket on to a person.\\n\\nAnswer in two or three friendly sentences, without headings or lists. Do not prom…
    + … ticket on to a person.\\n\\nAnswer in two or three formal sentences, without headings or lists. Do not promis…
    \`\`\`

    <details><summary>The steps up to this point</summary>

    \`\`\`text
    >   1  model     openai.chat (gpt-4.1-mini, 1 message) → "Let me look at that order." get_order({"order_id":"…
    \`\`\`

    </details>

    To accept the new input:

    \`\`\`sh
    npx vitest run golden-traces/cancel-1.jsonl -u
    \`\`\`

    To stop there in a debugger:

    \`\`\`sh
    npx goldenrun debug cancel-1 --at 1
    \`\`\`

    The same in 2 more: \`cancel-2\`, \`cancel-3\`

    3 golden traces: 3 not held.
    "
  `)
  expect(await project.read('summary.md')).toBe(`Before.\n\n## Golden traces\n\n${markdown}`)
})

it('leaves the output to a reporter for programs, and says nothing where there is no golden', async () => {
  const project = await createProject()
  await project.write('test/own.test.ts', "import { it } from 'vitest'\nit('is empty', () => undefined)\n")
  const { output } = await project.vitest(['run', '--reporter=tap'])
  expect(output).toMatch(/^TAP version 13\n1\.\.4\n/)
  expect(output).not.toContain('Goldens')
  expect((await project.vitest(['run', 'own'])).output).not.toContain('Goldens')
})
