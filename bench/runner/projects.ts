import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createVitestWorkspace, type VitestProject } from '../../test/support/vitest-workspace.ts'
import { startProvider } from '../../examples/world/provider.ts'
import { PEER_PACKAGES } from '../replay/peers/install.ts'
import { recordGolden } from '../replay/record-golden.ts'
import { ask } from './agent.ts'
import { aimockTest, emptyTest, fetchTest, type Golden, goldenConfig, plainTest, vitestConfig } from './test-files.ts'

/** How a project's tests are written: not at all (`fetch`: with Node's fetch loaded), as goldens, with an in-memory `fetch`, or with aimock. */
export type Kind = 'empty' | 'fetch' | 'golden' | 'plain' | 'aimock'

/** Creates projects of each kind, in a workspace that has the built package. */
export interface Projects extends AsyncDisposable {
  /** Creates a project with this many test files of a kind. */
  project(kind: Kind, files: number): Promise<VitestProject>
}

const QUESTIONS = ['Where is order 1001?', 'And order 1002?', 'When will both be here?']

const bench = fileURLToPath(new URL('../', import.meta.url))

/** Builds the package, records the agent's run, and creates projects that test it. */
export async function createProjects(): Promise<Projects> {
  const golden = await recordAsk()
  const agent = await readOwn('agent.ts')
  const tellCpu = await readOwn('tell-cpu.mjs')
  const workspace = await createVitestWorkspace()
  return {
    async project(kind, count) {
      const names = Array.from({ length: count }, (_, index) => `ask-${index}`)
      const project = await workspace.project({
        'vitest.config.ts': vitestConfig(kind === 'golden'),
        'tell-cpu.mjs': tellCpu,
        'src/agent.ts': agent,
        ...Object.fromEntries(names.map((name) => testFile(kind, name, golden))),
        ...(kind === 'golden' ? { 'goldenrun.config.ts': goldenConfig } : {}),
      })
      if (kind === 'aimock') await link(project, PEER_PACKAGES.aimock)
      return project
    },
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  }
}

function testFile(kind: Kind, name: string, golden: Golden): readonly [path: string, text: string] {
  switch (kind) {
    case 'empty':
      return [`test/${name}.test.ts`, emptyTest(name)]
    case 'fetch':
      return [`test/${name}.test.ts`, fetchTest(name)]
    case 'golden':
      return [`golden-traces/${name}.jsonl`, golden.text.replaceAll('"name":"golden"', `"name":"${name}"`)]
    case 'plain':
      return [`test/${name}.test.ts`, plainTest(name, golden)]
    case 'aimock':
      return [`test/${name}.test.ts`, aimockTest(name, golden)]
  }
}

async function readOwn(name: string): Promise<string> {
  return await readFile(new URL(name, import.meta.url), 'utf8')
}

async function recordAsk(): Promise<Golden> {
  const answers = QUESTIONS.map((question) => `I do not know. You asked: ${question}`)
  await using provider = await startProvider({ script: answers.map((text) => ({ text })) })
  const input = { baseUrl: provider.openaiBaseUrl, questions: QUESTIONS }
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-bench-'))
  try {
    const { file } = await recordGolden({ input, keepIn: folder }, ask)
    return { text: await readFile(file, 'utf8'), input, answers }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Links a package into the project's own `node_modules`, where the other projects do not find it. */
async function link(project: VitestProject, name: string): Promise<void> {
  const target = path.join(project.path, 'node_modules', name)
  await mkdir(path.dirname(target), { recursive: true })
  await symlink(path.join(bench, 'node_modules', name), target, 'junction')
}
