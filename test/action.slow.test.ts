import { chmod, readdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createTemporaryDirectory } from './support/temporary-directory.ts'
import { runCompositeAction, type JobResult, UPLOADED } from './support/run-workflow.ts'
import { createVitestWorkspace, supportProject, type VitestProject, type VitestWorkspace } from './support/vitest-workspace.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

const repository = fileURLToPath(new URL('../', import.meta.url))

let workspace: VitestWorkspace

beforeAll(async () => {
  workspace = await createVitestWorkspace()
}, 60_000)

afterAll(() => workspace[Symbol.asyncDispose]())

/** A project with a golden that holds, and these files beside or in place of its own. */
async function createProject(files: Readonly<Record<string, string>> = {}): Promise<VitestProject> {
  const { 'golden-traces/refund-twice.jsonl': _, ...own } = await supportProject()
  return workspace.project({ ...own, ...files })
}

const vitest = `node ${path.join(repository, 'node_modules/vitest/vitest.mjs')} run`

/** Runs the action in a project, on a runner on whose PATH these commands come first. */
async function run(
  project: VitestProject,
  inputs: Readonly<Record<string, string>> = {},
  commands: Record<string, string> = {},
): Promise<JobResult> {
  for (const [name, text] of Object.entries(commands)) {
    await project.write(`.commands/${name}`, text)
    await chmod(path.join(project.path, '.commands', name), 0o755)
  }
  const foreign = /^(?:VITEST|CI$|GITHUB_|NODE_ENV$|NODE_OPTIONS$|GOLDENRUN|npm_|FORCE_COLOR$)/
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))) as Record<string, string>
  const PATH = [path.join(project.path, '.commands'), path.dirname(process.execPath), env['PATH']].join(path.delimiter)
  return await runCompositeAction(repository, project.path, { command: vitest, ...inputs }, { ...env, PATH, NO_COLOR: '1' })
}

it('is green where all hold', async () => {
  const { status, outputs, summary } = await run(await createProject())
  expect([status, outputs['status']]).toEqual([0, '0'])
  expect(summary).toContain('## Golden traces\n\n1 golden trace: 1 held.\n')
})

it('is red where something does not hold, and leaves it as Markdown, in the summary, and on the line of the agent', async () => {
  const project = await createProject()
  await project.edit('src/prompt.ts', 'three friendly sentences', 'three formal sentences')
  const { status, outputs, summary, output } = await run(project, { 'markdown-file': 'out/comment.md', 'json-file': 'out/goldens.json' })
  expect([status, outputs['status'], outputs['markdown-file']]).toEqual([1, '1', path.join(project.path, 'out/comment.md')])
  const markdown = await project.read('out/comment.md')
  expect(markdown).toMatch(
    /^### Failed to replay "cancel-unshipped": step 1 diverged[^]*\n1 golden trace: 1 not held\.\n\nTo see these runs/,
  )
  expect(summary).toContain(markdown)
  expect(JSON.parse(await project.read('out/goldens.json'))).toMatchObject([{ trace: { name: 'cancel-unshipped' } }])
  expect(output).toContain('src/agent.ts')
})

it('uploads the page of each golden that does not hold, and links it from the summary and the comment', async () => {
  const project = await createProject()
  await project.edit('src/prompt.ts', 'three friendly sentences', 'three formal sentences')
  const { status, summary, outputs } = await run(project)
  expect([status, outputs['pages']]).toEqual([1, path.join(project.path, 'goldenrun-pages')])
  expect(await project.read('goldenrun-pages/cancel-unshipped.red.html')).toContain('<title>cancel-unshipped · goldenrun</title>')
  const link = `\n\nTo see these runs, recorded and replayed side by side: [pages](${UPLOADED}) (\`cancel-unshipped.red.html\`)\n`
  expect(summary.endsWith(`1 golden trace: 1 not held.${link}`)).toBe(true)
  expect((await project.read('goldenrun.md')).endsWith(link)).toBe(true)
})

it('uploads nothing where all hold, or where no pages are asked for', async () => {
  expect((await run(await createProject())).outputs).not.toHaveProperty('artifact-url')
  const project = await createProject()
  await project.edit('src/prompt.ts', 'three friendly sentences', 'three formal sentences')
  const { outputs, status } = await run(project, { pages: '' })
  expect(status).toBe(1)
  expect(outputs).not.toHaveProperty('artifact-url')
})

it('tells a golden that could not be replayed from one that does not hold', async () => {
  const project = await createProject({ 'golden-traces/empty.jsonl': '' })
  const { status, outputs } = await run(project)
  expect([status, outputs['status']]).toEqual([2, '2'])
})

it('replays without a runner where that leaves no Markdown', async () => {
  const project = await createProject()
  await project.edit('src/prompt.ts', 'three friendly sentences', 'three formal sentences')
  const npx = `#!/bin/bash\n[ "$2" = goldenrun ] || exit 127\nshift 2\nexec node ${path.join(project.path, '../node_modules/goldenrun/dist/cli.js')} "$@"\n`
  const { status, summary } = await run(project, { command: 'false' }, { npx })
  expect(status).toBe(1)
  expect(summary).toMatch(/^## Golden traces\n\n### Failed to replay "cancel-unshipped"/)
  expect(await project.read('goldenrun.md')).toMatch(/\n1 golden trace: 1 not held\.\n\nTo see these runs/)
})

it.each([
  ['goldenrun.md', {}],
  ['out', { 'markdown-file': 'out/comment.md' }],
  ['report.json', { 'json-file': 'report.json' }],
  ['goldenrun-pages', {}],
])('writes and removes nothing through %s if the checkout has a link there', async (link, inputs) => {
  const project = await createProject()
  await using elsewhere = await createTemporaryDirectory()
  await elsewhere.write('kept.red.html', 'kept')
  await symlink(
    link === 'report.json' || link === 'goldenrun.md' ? elsewhere.resolve('kept.red.html') : elsewhere.path,
    path.join(project.path, link),
  )
  const { status, output } = await run(project, inputs)
  expect(output).toContain(' leads through a link of the checkout. Remove the link, or name another path.')
  expect(status).toBe(2)
  expect((await readdir(elsewhere.path)).toSorted()).toEqual(['kept.red.html', 'package.json'])
  expect(await elsewhere.read('kept.red.html')).toBe('kept')
})

it('takes neither outputs that the command sets nor names of pages that the checkout brings', async () => {
  const project = await createProject({
    'goldenrun-pages/[a](www.evil.example).red.html/x': '',
    'goldenrun-pages/.b](www.evil.example).red.html': '',
  })
  const command = 'echo "status=0" >> "$GITHUB_OUTPUT"; echo "pages=/etc" >> "$GITHUB_OUTPUT"; exit 1'
  const npx = '#!/bin/bash\nexit 1\n'
  const { outputs, summary } = await run(project, { command }, { npx })
  expect([outputs['status'], outputs['pages'], outputs['markdown-file']]).toEqual(['1', '', ''])
  expect(summary).toBe('')
})

/** Says whether the network can be reached, and passes on what the runner's own did. */
const probe = `node --eval "
  const interfaces = Object.values(require('os').networkInterfaces()).flat()
  console.log('others:', interfaces.some((each) => !each.internal), 'user:', process.getuid(), 'marker:', process.env.MARKER)
"`

it.runIf(process.platform === 'linux')('takes the network away, or says that it cannot', async () => {
  const project = await createProject()
  const unshare = (rest: string): string => `#!/bin/bash\nif [ "$1" = --user ]; then exit 1; fi\n${rest}\n`
  const sudo = '#!/bin/bash\nshift; if [ "$1" = -E ]; then shift; fi\nexec "$@"\n'
  const markdown = { 'markdown-file': 'README.md' }
  const command = `touch README.md; ${probe}`
  const never = { unshare: unshare('exit 1'), sudo: '#!/bin/bash\nexit 1\n' }
  const without = await run(project, { ...markdown, command }, never)
  expect(without.output).toContain('::notice::This runner cannot disable the network')
  const asked = await run(project, { ...markdown, command, offline: 'false' }, { unshare: unshare('exit 0') })
  expect(asked.output).not.toContain('::notice::')
  // By sudo, and back to the user that the job has.
  const bySudo = await run(
    project,
    { ...markdown, command },
    { sudo, unshare: unshare('shift; [ "$1" = true ] || echo unshared; exec "$@"') },
  )
  expect(bySudo.output).toContain('unshared\n')
  expect(bySudo.output).toContain(`user: ${process.getuid?.()}`)
  const { output, status } = await run(await createProject(), { ...markdown, command })
  expect(output).toMatch(/others: false|::notice::/)
  expect(status).toBe(0)
})
