import type { Runner } from './unsaid-project.ts'

/**
 * Thirty ways of forgetting something, with an agent whose prompt has changed: nobody judges it, unless somebody says
 * so. They were written down from the documentation alone, before one of them was run, and before the sources were
 * read.
 *
 * The golden is `greets`, the agent `greet` in `src/agent`. `expects` says what may happen: `red`, or green with this
 * word.
 */
export interface WayOfForgetting {
  readonly name: string
  readonly where: readonly Runner[]
  /** The body of `test/greets.test`, after its imports of the runner and of goldenrun. */
  readonly test?: string
  /** The golden stands elsewhere, holds something else, or is not there. */
  readonly golden?: { readonly path?: string; readonly text?: string }
  /** What is left out of the project. */
  readonly without?: 'setup' | 'config' | 'agent'
  readonly settings?: Readonly<Record<string, unknown>>
  readonly args?: readonly string[]
  readonly expects: 'red' | RegExp
  /** Why it is green without a word today; `docs/limits.md` says so. */
  readonly open?: { readonly in: readonly Runner[]; readonly why: string }
}

const runners = ['vitest', 'jest'] as const
const matcher = 'toReplayWithoutDivergence()'

export const waysOfForgetting: readonly WayOfForgetting[] = [
  // await
  {
    name: 'await before expect',
    where: runners,
    expects: 'red',
    test: `test('a', async () => { expect(replay('greets', greet)).${matcher} })`,
  },
  {
    name: 'await in a helper',
    where: runners,
    expects: 'red',
    test: `const check = async () => expect(await replay('greets', greet)).${matcher}\ntest('a', () => { check() })`,
  },
  {
    name: 'await for a list',
    where: runners,
    expects: 'red',
    test: `test('a', async () => { ['greets'].forEach(async (name) => expect(await replay(name, greet)).${matcher}) })`,
  },
  {
    name: 'return before then',
    where: runners,
    expects: 'red',
    test: `test('a', () => { replay('greets', greet).then((run) => expect(run).${matcher}) })`,
  },
  {
    name: 'await before resolves',
    where: runners,
    expects: 'red',
    test: `test('a', async () => { expect(replay('greets', greet)).resolves.${matcher} })`,
  },
  {
    name: 'await in a concurrent test',
    where: runners,
    expects: 'red',
    test: `test.concurrent('a', async () => { expect(replay('greets', greet)).${matcher} })\ntest.concurrent('b', async () => { await new Promise((done) => setTimeout(done, 20)) })`,
  },
  {
    name: 'await before expect.soft',
    where: ['vitest'],
    expects: 'red',
    test: `test('a', async () => { expect.soft(replay('greets', greet)).${matcher} })`,
  },
  {
    name: 'await before a race',
    where: runners,
    expects: 'red',
    test: `test('a', async () => { await Promise.race([undefined, expect(replay('greets', greet)).${matcher}]) })`,
  },
  {
    name: 'await of a timer that expects',
    where: runners,
    expects: 'red',
    open: { in: ['vitest'], why: 'The test has ended before the replay begins.' },
    test: `test('a', async () => { setTimeout(async () => expect(await replay('greets', greet)).${matcher}, 20) })`,
  },
  {
    name: 'await, with a golden that does not exist',
    where: runners,
    expects: 'red',
    test: `test('a', () => { expect(replay('greetz', greet)).${matcher} })`,
  },
  // the assertion
  { name: 'the assertion', where: runners, expects: 'red', test: `test('a', async () => { await replay('greets', greet) })` },
  { name: 'await and the assertion', where: runners, expects: 'red', test: `test('a', () => { replay('greets', greet) })` },
  { name: 'the matcher', where: runners, expects: 'red', test: `test('a', async () => { expect(await replay('greets', greet)) })` },
  {
    name: 'the call of the matcher',
    where: runners,
    expects: 'red',
    test: `test('a', async () => { expect(await replay('greets', greet)).toReplayWithoutDivergence })`,
  },
  {
    name: 'that a run is always defined',
    where: runners,
    expects: 'red',
    test: `test('a', async () => { expect(await replay('greets', greet)).toBeDefined() })`,
  },
  {
    name: 'that a run is always truthy',
    where: runners,
    expects: 'red',
    test: `test('a', async () => { await expect(replay('greets', greet)).resolves.toBeTruthy() })`,
  },
  {
    name: 'that a catch swallows the assertion',
    where: runners,
    expects: /not held/,
    test: `test('a', async () => { try { expect(await replay('greets', greet)).${matcher} } catch {} })`,
  },
  {
    name: 'an assertion for a run that beforeAll replays',
    where: runners,
    expects: 'red',
    test: `let run\nbeforeAll(async () => { run = await replay('greets', greet) })\ntest('a', () => {})`,
  },
  // the test
  {
    name: 'only at another test',
    where: runners,
    expects: /skipped/,
    test: `test.only('b', () => {})\ntest('a', async () => { expect(await replay('greets', greet)).${matcher} })`,
  },
  {
    name: 'skip',
    where: runners,
    expects: /skipped/,
    test: `test.skip('a', async () => { expect(await replay('greets', greet)).${matcher} })\ntest('b', () => {})`,
  },
  { name: 'todo', where: runners, expects: /todo/, test: `test.todo('a')\ntest('b', () => {})` },
  {
    name: 'goldens for describeGolden',
    where: runners,
    expects: 'red',
    test: `describeGolden('refund-*', greet, (golden, run) => { test('holds', async () => { await expect(run).${matcher} }) })\ntest('b', () => {})`,
  },
  // the project
  {
    name: 'the plugin or preset',
    where: runners,
    without: 'setup',
    expects: 'red',
    test: `test('a', async () => { expect(replay('greets', greet)).${matcher} })`,
  },
  {
    name: 'the plugin or preset, and the assertion',
    where: runners,
    without: 'setup',
    expects: 'red',
    test: `test('a', async () => { await replay('greets', greet) })`,
  },
  { name: 'the config', where: [...runners, 'command'], without: 'config', expects: 'red' },
  { name: 'the agent in the config', where: [...runners, 'command'], without: 'agent', expects: 'red' },
  { name: 'the content of the golden', where: [...runners, 'command'], golden: { text: '' }, expects: 'red' },
  {
    name: 'to fetch the golden from Git LFS',
    where: [...runners, 'command'],
    golden: {
      text: 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n',
    },
    expects: 'red',
  },
  { name: 'how the golden is called', where: [...runners, 'command'], args: ['golden-traces/greetz.jsonl'], expects: 'red' },
  { name: 'where goldens belong', where: [...runners, 'command'], golden: { path: 'golden-trace/greets.jsonl' }, expects: 'red' },
]
