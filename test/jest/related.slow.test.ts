import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { commitAll } from '../support/git-project.ts'
import { createJestWorkspace, expectPassed, type JestWorkspace } from '../support/jest-workspace.ts'
import { runNode } from '../support/run-command.ts'

const files = {
  '.gitignore': 'node_modules\n',
  'jest.config.cjs': "module.exports = { preset: 'goldenrun/jest' }\n",
  'goldenrun.config.mjs': "export default { agents: { greet: './src/agent.js#greet', leave: 'src/leave.js#leave' } }\n",
  'src/agent.js': `const { readFileSync } = require('node:fs')
const { tool } = require('goldenrun')
const words = require('./words.js')
const load = (name) => require(\`./\${name}.js\`)

const find = tool('find_name', { effect: 'read' }, async ({ name }) => 'Mr. ' + name)
exports.greet = async ({ name }) => {
  const prompt = readFileSync(\`\${__dirname}/prompts/greet.md\`, 'utf8') + JSON.parse(readFileSync('data/shots.json', 'utf8'))
  return words.hello + (await find({ name, prompt, style: load('style') }))
}
`,
  'src/words.js': "exports.hello = 'Hello '\n",
  'src/style.js': "module.exports = 'formal'\n",
  'src/prompts/greet.md': 'Greet the customer with all the words that you have.\n',
  'data/shots.json': '["one shot", "another shot"]\n',
  'src/leave.js': "exports.leave = require('goldenrun').tool('leave', { effect: 'read' }, async () => 'Bye')\n",
  'src/unrelated.js': 'module.exports = 1\n',
  'test/by-name.test.js': `const { replay } = require('goldenrun/jest')
const agents = { greet: require('../src/agent.js').greet, leave: require('../src/leave.js').leave }
test.each(['greet', 'leave'])('%s holds', async (name) => {
  expect(await replay(name, agents[name], { agent: name, input: { name: 'Ada' } })).toReplayWithoutDivergence()
})
`,
  'test/other.test.js': "test('nothing', () => expect(require('../src/unrelated.js')).toBe(1))\n",
}

const byName = 'test/by-name.test.js'
const greet = 'golden-traces/greet.jsonl'
const leave = 'golden-traces/leave.jsonl'

/** What is changed, and the test files that run then. */
const changes: Readonly<Record<string, readonly string[]>> = {
  'src/agent.js': [greet, leave, byName],
  'src/words.js': [greet, leave, byName],
  // No import that can be seen leads there: only what the agent's accepted run was made of. The test names the golden.
  'src/style.js': [greet, byName],
  'src/prompts/greet.md': [greet, byName],
  'data/shots.json': [greet, byName],
  'goldenrun.config.mjs': [greet, leave, byName],
  [greet]: [greet, byName],
  'src/unrelated.js': ['test/other.test.js'],
}

let workspace: JestWorkspace
let folder = ''

beforeAll(async () => {
  workspace = await createJestWorkspace()
  const recorded = await workspace.jest(files, { env: { GOLDENRUN: 'record' }, withTransforms: true })
  expectPassed(recorded, 3)
  ;({ folder } = recorded)
}, 120_000)

afterAll(() => workspace[Symbol.asyncDispose]())

async function listed(...args: readonly string[]): Promise<string[]> {
  const jest = path.join(import.meta.dirname, '../../node_modules/jest/bin/jest.js')
  const { stdout, stderr } = await runNode(folder, [jest, '--listTests', '--passWithNoTests', ...args])
  expect(stderr).toBe('')
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => path.relative(folder, line).replaceAll(path.sep, '/')).toSorted()
}

it.each(Object.keys(changes))('finds the goldens and tests of a change of %s', async (file) => {
  commitAll(folder)
  await appendFile(path.join(folder, file), '\n')
  const expected = changes[file]?.toSorted()
  expect(await listed('-o')).toEqual(expected)
  expect(await listed('--findRelatedTests', file)).toEqual(expected)
})
