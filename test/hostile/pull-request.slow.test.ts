import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createVitestWorkspace, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'
import { golden, HOSTILE_GOLDENS, PROJECT } from './pull-request.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 60_000 })

let workspace: VitestWorkspace
let project: VitestProject

beforeAll(async () => {
  workspace = await createVitestWorkspace()
  const goldens = { plain: golden('plain'), ...HOSTILE_GOLDENS }
  project = await workspace.project({
    ...PROJECT,
    ...Object.fromEntries(Object.entries(goldens).map(([name, text]) => [`golden-traces/${name}.jsonl`, text])),
  })
}, 60_000)

afterAll(() => workspace[Symbol.asyncDispose]())

/** In CI, a log is read by people in a browser and by the service, which takes some of its lines for commands. */
function expectPlainLog(log: string): void {
  expect(log).not.toBe('')
  // oxlint-disable-next-line no-control-regex -- that is what is looked for
  expect(log).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u200b\u202e\u3164]/)
  expect(log).not.toMatch(/^\s*::/m)
  expect(log).not.toMatch(/##\[/)
}

const hasRenderer = spawnSync('cmark-gfm', ['--version']).status === 0

/** The tags that GitHub's own renderer makes of Markdown, and the texts between them, in which GitHub looks for more. */
function rendered(markdown: string): { readonly tags: readonly string[]; readonly texts: readonly string[] } {
  const extensions = ['autolink', 'table', 'strikethrough', 'tasklist'].flatMap((name) => ['--extension', name])
  const html = execFileSync('cmark-gfm', ['--unsafe', ...extensions], { input: markdown, encoding: 'utf8' })
  const withoutCode = html.replaceAll(/<code[^>]*>[^<]*<\/code>/g, '')
  const pieces = withoutCode.split(/(<!--.*?-->|<\/?[a-z][^>]*>)/s)
  return {
    tags: [...html.matchAll(/<([a-z]\w*)/g)].map(([, tag = '']) => tag),
    texts: pieces.filter((_, index) => index % 2 === 0),
  }
}

/** Without GitHub's renderer (Debian's package cmark-gfm), the parts of a text that it acts on are looked for outside of code. */
function expectOwnMarkdown(markdown: string): void {
  expectPlainLog(markdown)
  expect(markdown).toContain('### ')
  if (!hasRenderer) return
  const { tags, texts } = rendered(markdown)
  const own = ['h3', 'p', 'pre', 'code', 'details', 'summary', 'blockquote', 'br', 'ul', 'li', 'hr', 'span']
  expect([...new Set(tags)].filter((tag) => !own.includes(tag))).toEqual([])
  for (const text of texts) expect(text).not.toMatch(/@\w|#\d|GH-\d|:\w+:|https?:\/\/|www\.|[\da-f]{7}|\$[^]|[^]\$/)
}

it(`prints no link, image, mention or command of a golden as Markdown${hasRenderer ? '' : " (not rendered: needs Debian's cmark-gfm)"}`, async () => {
  const { stdout, stderr, status } = await project.goldenrun(['replay', '--markdown'])
  expect(status).toBe(2)
  expectOwnMarkdown(stdout)
  expect(stdout).toContain(`${Object.keys(HOSTILE_GOLDENS).length + 1} golden traces: `)
  expect(stderr).toBe('')
})

it('prints no command and no control character of a golden in a log', async () => {
  for (const command of [['replay'], ['check', '--json'], ['list']]) {
    const { stdout, stderr } = await project.goldenrun(command)
    expectPlainLog(`${stdout}${stderr}`)
  }
})

it('does neither under Vitest, nor in what its reporter writes', async () => {
  const files = {
    GOLDENRUN_MARKDOWN_FILE: 'out.md',
    GOLDENRUN_JSON_FILE: 'out.json',
    GITHUB_STEP_SUMMARY: path.join(project.path, 'summary.md'),
  }
  const { output, status } = await project.vitest(['run'], { CI: 'true', ...files })
  expect(status).toBe(1)
  expectPlainLog(output)
  expectOwnMarkdown(await project.read('out.md'))
  expect(await project.read('summary.md')).toBe(`## Golden traces\n\n${await project.read('out.md')}`)
  expect(JSON.parse(await project.read('out.json'))).not.toEqual([])
})

it.runIf(process.platform === 'linux')('starts no test run with a golden whose file name is a command', async () => {
  const name = 'a\n::error::b'
  const evil = await workspace.project({ ...PROJECT, [`golden-traces/${name}.jsonl`]: golden(name) })
  const { output, status } = await evil.vitest(['run'])
  expect(status).toBe(1)
  expectPlainLog(output)
  expect(output).toContain('A golden trace cannot be named "a\\n::error::b"')
  const { stdout } = await evil.goldenrun(['replay'])
  expectPlainLog(stdout)
  expect(stdout).toContain('1 trace replayed: 1 could not run.')
})
