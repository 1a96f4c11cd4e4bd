import { afterAll, beforeAll, expect, it } from 'vitest'
import { commitAll } from '../support/git-project.ts'
import { createVitestWorkspace, supportProject, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'

const greet = 'golden-traces/cancel-unshipped.jsonl'
const byName = 'test/by-name.test.ts'

/** What is changed, and the test files that run then. */
const changes: Readonly<Record<string, readonly string[]>> = {
  'src/prompt.ts': [greet, byName],
  // No import leads there: only what the agent's accepted runs were made of.
  'src/style.ts': [greet, byName],
  'src/prompts/manner.md': [greet, byName],
  [greet]: [greet, byName],
  'src/unrelated.ts': ['test/unrelated.test.ts'],
}

let workspace: VitestWorkspace
let project: VitestProject

beforeAll(async () => {
  workspace = await createVitestWorkspace()
  // Nothing is written down of an agent with a golden that does not hold.
  const { 'golden-traces/refund-twice.jsonl': _, ...files } = await supportProject()
  project = await workspace.project({
    ...files,
    'src/agent.ts': `import { readFileSync } from 'node:fs'\n${files['src/agent.ts'] ?? ''}
readFileSync(new URL('prompts/manner.md', import.meta.url), 'utf8')
const load = (name: string) => import(new URL(name + '.ts', import.meta.url).href)
await load('style')
`,
    'src/style.ts': "export const style = 'formal'\n",
    'src/prompts/manner.md': 'Answer in the manner of the house, and in no other.\n',
    'src/unrelated.ts': 'export const unrelated = 1\n',
    [byName]: `import { expect, test } from 'vitest'
import { replay } from 'goldenrun/vitest'
test('holds', async () => {
  const { supportAgent } = await import('../src/agent.ts')
  expect(await replay('cancel-unshipped', supportAgent)).toReplayWithoutDivergence()
})
`,
    'test/unrelated.test.ts':
      "import { expect, test } from 'vitest'\nimport { unrelated } from '../src/unrelated.ts'\ntest('one', () => expect(unrelated).toBe(1))\n",
  })
  // Writes down what its runs are made of.
  await project.vitest(['run', greet, '-u'])
  commitAll(project.path)
}, 240_000)

afterAll(() => workspace[Symbol.asyncDispose]())

async function ran(args: readonly string[]): Promise<string[]> {
  await project.vitest([...args, '--passWithNoTests', '--reporter=json', '--outputFile=told.json'])
  const { testResults } = JSON.parse(await project.read('told.json')) as { testResults: { name: string }[] }
  return testResults.map(({ name }) => name.slice(project.path.length + 1)).toSorted()
}

it.each(Object.keys(changes))('runs the goldens and tests of a change of %s', async (file) => {
  const text = await project.read(file)
  await project.write(file, `${text}\n`)
  const expected = changes[file]?.toSorted()
  expect(await ran(['run', '--changed'])).toEqual(expected)
  expect(await ran(['related', '--run', file])).toEqual(expected)
  await project.write(file, text)
})
