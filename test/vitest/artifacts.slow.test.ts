import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { reportSchema } from '../../scripts/report-schema.ts'
import { createVitestWorkspace, supportProject, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

let workspace: VitestWorkspace

beforeAll(async () => {
  workspace = await createVitestWorkspace()
}, 60_000)

afterAll(() => workspace[Symbol.asyncDispose]())

/** A reporter of the user's, that writes what stands by each test. */
const reporter = `import { writeFileSync } from 'node:fs'
export default class {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    writeFileSync('artifacts.json', JSON.stringify(Object.fromEntries(tests.map((test) => [test.module.relativeModuleId, test.artifacts()]))))
  }
}
`

/** A project with a golden that holds and one that does not. */
async function createProject(): Promise<{ readonly project: VitestProject; readonly golden: string }> {
  const files = await supportProject()
  const golden = (files['golden-traces/cancel-unshipped.jsonl'] ?? '').replaceAll('three friendly sentences', 'three formal sentences')
  const changed = golden.replaceAll('cancel-unshipped', 'changed')
  return {
    project: await workspace.project({ ...files, 'golden-traces/changed.jsonl': changed, 'reporter.js': reporter }),
    golden: changed,
  }
}

interface Artifact {
  readonly type: string
  readonly golden: string
  readonly message: string
  readonly attachments: readonly { readonly contentType: string; readonly body: string; readonly bodyEncoding: string }[]
}

it('attaches the report and the trace of a golden that does not hold, and nothing to one that does', async () => {
  const { project, golden } = await createProject()
  await project.vitest(['run', 'c', '--reporter=./reporter.js'])
  const artifacts = JSON.parse(await project.read('artifacts.json')) as Record<string, Artifact[]>
  expect(artifacts['golden-traces/cancel-unshipped.jsonl']).toEqual([])
  expect(artifacts['golden-traces/changed.jsonl']).toMatchObject([
    {
      type: 'goldenrun:divergence',
      golden: 'golden-traces/changed.jsonl',
      message: 'Failed to replay "changed": step 1 diverged (input: system prompt).',
    },
  ])
  const [markdown, json, trace, ...others] = artifacts['golden-traces/changed.jsonl']?.[0]?.attachments ?? []
  const textOf = (attachment: Artifact['attachments'][number] | undefined): string =>
    Buffer.from(attachment?.body ?? '', 'base64').toString()
  expect([markdown, json, trace].map((each) => each?.contentType)).toEqual(['text/markdown', 'application/json', 'application/jsonl'])
  expect(textOf(markdown)).toMatch(/^### Failed to replay "changed"/)
  expect(reportSchema.parse(JSON.parse(textOf(json)))).toMatchObject({ trace: { name: 'changed' }, divergence: { cause: 'input' } })
  expect(textOf(trace)).toBe(golden)
  expect(others).toEqual([])
})

it("is in the report of Vitest's html reporter, and beside its json one", async () => {
  const { project } = await createProject()
  const { output, status } = await project.vitest(['run', 'changed', '--reporter=html', '--reporter=json', '--outputFile.json=report.json'])
  expect(output).not.toContain('Unhandled')
  expect(status).toBe(1)
  expect(JSON.parse(await project.read('report.json'))).toMatchObject({
    numFailedTests: 1,
    testResults: [{ assertionResults: [{ status: 'failed', meta: { goldenrun: [{ name: 'changed', status: 'not held' }] } }] }],
  })
  const files = await readdir(path.join(project.path, '.vitest'), { recursive: true })
  const data = await Promise.all(
    files
      .filter((file) => file.endsWith('.gz'))
      .map(async (file) => gunzipSync(await readFile(path.join(project.path, '.vitest', file))).toString()),
  )
  expect(data.join('')).toContain('goldenrun:divergence')
})

it('copies a large trace to where Vitest keeps attachments', async () => {
  const { project, golden } = await createProject()
  const [header = '', ...rows] = golden.split('\n')
  const padded = header.replace('"tags":{', `"tags":{"padding":"${'x'.repeat(1_000_000)}",`)
  const large = padded === header ? header.replace('"agent":', `"agentVersion":"${'x'.repeat(1_000_000)}","agent":`) : padded
  await project.write('golden-traces/changed.jsonl', [large, ...rows].join('\n'))
  await project.vitest(['run', 'changed', '--reporter=./reporter.js'])
  const artifacts = JSON.parse(await project.read('artifacts.json')) as Record<string, { attachments: { path?: string }[] }[]>
  const file = artifacts['golden-traces/changed.jsonl']?.[0]?.attachments[2]?.path ?? ''
  expect(path.relative(project.path, file).split(path.sep)[0]).toBe('.vitest')
  expect(await readFile(file, 'utf8')).toBe(await project.read('golden-traces/changed.jsonl'))
})

it('annotates the line of the agent in GitHub Actions, once, with the reporters that Vitest has by default', async () => {
  const { project } = await createProject()
  await project.edit('vitest.config.ts', ", test: { reporters: ['default'] }", '')
  const { output } = await project.vitest(['run', 'changed'], { GITHUB_ACTIONS: 'true', CI: 'true' })
  const annotations = output.split('\n').filter((line) => line.startsWith('::error '))
  expect(annotations).toEqual([
    expect.stringMatching(/^::error file=<project>\/src\/agent\.ts,title=golden-traces\/changed\.jsonl > changed[^,]*,line=30,column=22::/),
  ])
  expect(output.match(/Failed to replay "changed"/g)).toHaveLength(2)
  expect(output).toContain('Goldens  1 not held (1)')
})
