import { rm } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type ConfiguredAgent, replayOptionsOf } from '../../src/config/agent-reference.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { createReport } from '../../src/divergence/create-report.ts'
import { renewOf } from '../../src/goldens/accepted/renew-of.ts'
import { promote } from '../../src/goldens/promote.ts'
import { withNextCommands } from '../../src/goldens/with-next-commands.ts'
import { replay } from '../../src/replay/replay.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { runNode } from '../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

// Thirty goldens whose prompt, package, module, config or Node has changed. One agent runs them all, so the headline must name nothing else.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const source = new URL('../../src/index.ts', import.meta.url).href

/** A change of a project, and what the headline says of it. */
interface Change {
  /** The file that is written; `…` is replaced by another text. */
  readonly file: string
  readonly before?: string
  /** Default: the file is gone. */
  readonly after?: string
  /** What the agent does: code of a function that returns what it sends. */
  readonly sends: string
  readonly told: string
}

const noise = "{ noise: globalThis[Symbol.for('test/noise')] ?? 'quiet' }"
const changed = (file: string): string => `Changed since this golden was accepted: ${file}.`
const config = (fields: string): string =>
  `export default { agents: { chat: './agent.mjs#agent' }, replay: { ignore: ['args.noise'] }${fields} }\n`

const text = (file: string, before = 'Be brief.\n', after = 'Be long.\n'): Change => ({
  file,
  before,
  after,
  sends: `await readFile(new URL('./${file}', import.meta.url), 'utf8')`,
  told: changed(file),
})
const module = (file: string): Change => ({
  file,
  before: "export const greeting = 'Hello'\n",
  after: "export const greeting = 'Good evening'\n",
  sends: `(await import('./${file}')).greeting`,
  told: changed(file),
})
const manifest = (name: string, version: string, more: object): string => JSON.stringify({ name, version, ...more })
const inPackage = (name: string, isModule: boolean): readonly Change[] => {
  const more = isModule ? { type: 'module', exports: './index.js' } : { main: './index.js' }
  const code = (word: string): string => (isModule ? `export default '${word}'\n` : `module.exports = '${word}'\n`)
  const folder = `node_modules/${name}`
  return [
    {
      file: `${folder}/package.json`,
      before: manifest(name, '1.0.0', more),
      after: manifest(name, '1.1.0', more),
      sends: `(await import('${name}')).default`,
      told: `${name} 1.0.0 → 1.1.0; the agent's code did not change.`,
    },
    { file: `${folder}/index.js`, before: code('one'), after: code('two'), sends: '', told: '' },
  ]
}
const inConfig = (before: string, after: string): Change => ({
  file: 'goldenrun.config.mjs',
  before,
  after,
  sends: noise,
  told: changed('goldenrun.config.mjs'),
})

/** The files of each change: the first one says what the agent sends. */
const changes: Readonly<Record<string, readonly Change[]>> = {
  'a prompt in Markdown': [text('prompts/system.md')],
  'a prompt in a text': [text('prompts/tone.txt')],
  'a prompt in JSON': [text('prompts/rules.json', '{ "days": 30 }', '{ "days": 60 }')],
  'a prompt in YAML': [text('prompts/rules.yaml', 'days: 30\n', 'days: 60\n')],
  'a template': [text('prompts/reply.hbs', 'Dear {{name}} of the shop,', 'Hi {{name}} of the shop,')],
  'a list in CSV': [text('data/orders.csv', 'id,total\n1,20\n', 'id,total\n1,30\n')],
  'a page in HTML': [text('data/help.html', '<p>Within thirty days</p>', '<p>Within sixty days</p>')],
  'a prompt in a deep folder': [text('prompts/de/support/system.md', 'Sei kurz und klar.', 'Sei lang und klar.')],
  'a prompt with no letters of ASCII': [text('prompts/ja.md', '短く答えてください。丁寧に。', '長く答えてください。丁寧に。')],
  'a prompt that grew': [text('prompts/long.md', 'Be brief.\n', `Be brief.\n${'Be polite. '.repeat(2000)}`)],
  'a prompt that is a space longer': [text('prompts/space.md', 'Be brief, please.', 'Be brief,  please.')],
  'a module': [module('modules/words.mjs')],
  'a module in JSON': [
    {
      file: 'modules/table.json',
      before: '{ "greeting": "Hello to all" }',
      after: '{ "greeting": "Hi to all" }',
      sends: "(await import('./modules/table.json', { with: { type: 'json' } })).default.greeting",
      told: changed('modules/table.json'),
    },
  ],
  'a module in a deep folder': [module('modules/deep/inner/words.mjs')],
  'a CommonJS module': [
    {
      file: 'modules/words.cjs',
      before: "exports.greeting = 'Hello'\n",
      after: "exports.greeting = 'Hi'\n",
      sends: "(await import('./modules/words.cjs')).greeting",
      told: changed('modules/words.cjs'),
    },
  ],
  'a file that is found now': [
    {
      file: 'prompts/override.md',
      after: 'Be rude, now and then.\n',
      sends: "await readFile(new URL('./prompts/override.md', import.meta.url), 'utf8').catch(() => 'none')",
      told: changed('prompts/override.md'),
    },
  ],
  'a file that is gone': [
    {
      file: 'prompts/extra.md',
      before: 'Be kind to all of them.\n',
      sends: "await readFile(new URL('./prompts/extra.md', import.meta.url), 'utf8').catch(() => 'none')",
      told: changed('prompts/extra.md'),
    },
  ],
  'a folder with one file more': [
    {
      file: 'notes/two.md',
      after: 'Another note of two words.\n',
      sends: "await readdir(new URL('./notes/', import.meta.url))",
      told: changed('notes'),
    },
    { file: 'notes/one.md', before: 'A note of two words.\n', after: 'A note of two words.\n', sends: '', told: '' },
  ],
  'a package of modules': inPackage('esm-client', true),
  'a CommonJS package': inPackage('cjs-client', false),
  'a package with a scope': inPackage('@shop/client', true),
  'a CommonJS package with a scope': inPackage('@shop/common', false),
  'a package with a dot in its name': inPackage('client.js', true),
  'the option ignore': [inConfig(config(''), config('').replace("'args.noise'", ''))],
  'options of replay that are gone': [inConfig(config(''), config('').replace(/, replay: \{.*\} \}/, ' }'))],
  'the recorded environment': [inConfig(config(''), config(", env: ['TONE']").replace("'args.noise'", ''))],
  'the hosts that are muted': [inConfig(config(''), config(", mute: ['https://telemetry.example']").replace("'args.noise'", ''))],
  'the path that is left out': [inConfig(config(''), config('').replace('args.noise', 'args.silence'))],
  'Node 22': [{ file: 'node', before: '22.20.0', sends: noise, told: 'Node 22.20.0 → ' }],
  'Node 26': [{ file: 'node', before: '26.1.0', sends: noise, told: 'Node 26.1.0 → ' }],
}

let project: TemporaryDirectory
let agent: ConfiguredAgent
const home = process.cwd()
const names = Object.keys(changes)
const isNode = ({ file }: Change): boolean => file === 'node'

beforeAll(async () => {
  project = await createTemporaryDirectory()
  project.enter()
  await project.write('package.json', '{ "name": "shop", "type": "module", "version": "1.0.0" }')
  for (const { file, before } of Object.values(changes).flat())
    if (before !== undefined && file !== 'node') await project.write(file, before)
  const sends = names.map((name) => `${JSON.stringify(name)}: async () => (${changes[name]?.[0]?.sends ?? ''})`)
  await project.write(
    'agent.mjs',
    `import { readdir, readFile } from 'node:fs/promises'
import { tool } from '${source}'
const send = tool('send', { effect: 'read' }, async () => 'sent')
const things = { ${sends.join(',\n')} }
export const agent = async (what) => await send(await things[what]())
`,
  )
  // In a process of its own: this one loads modules and packages once they have changed.
  await project.write(
    'record.mjs',
    `import { createRecorder, currentRun } from '${source}'
import { agent } from './agent.mjs'
const recorder = createRecorder({ store: './.goldenrun/runs' })
const ids = []
for (const what of ${JSON.stringify(names)})
  await recorder.run({ agent: 'chat', input: what }, async (given) => { ids.push(currentRun().id); return await agent(given) })
await recorder.close()
console.log(JSON.stringify(ids))
`,
  )
  const { stdout, stderr } = await runNode(project.path, ['record.mjs'])
  expect(stderr).toBe('')
  const files: string[] = []
  for (const [index, id] of (JSON.parse(stdout) as string[]).entries())
    files.push((await promote(await readTrace(id), { name: `g${index}` })).file)
  expect(await renewOf(files)).toEqual(['Wrote golden-traces/chat.accepted, so that a red report can say what has changed.'])
  agent = ((await import(pathToFileURL(project.resolve('agent.mjs')).href)) as { readonly agent: ConfiguredAgent }).agent
})

afterAll(async () => {
  process.chdir(home)
  await project[Symbol.asyncDispose]()
})

const ACCEPTED = 'golden-traces/chat.accepted'

/** Makes a change, and returns what undoes it. Another Node is one that accepted the runs. */
async function make(change: Change): Promise<() => Promise<unknown>> {
  const { file, before, after } = change
  const write = async (name: string, content: string | undefined): Promise<unknown> =>
    content === undefined ? await rm(project.resolve(name)) : await project.write(name, content)
  if (!isNode(change)) {
    await write(file, after)
    return async () => await write(file, before)
  }
  const accepted = await project.read(ACCEPTED)
  await write(ACCEPTED, accepted.replace(`node\tnode\t${process.versions.node}`, `node\tnode\t${before ?? ''}`))
  return async () => await write(ACCEPTED, accepted)
}

it.each(names.map((name, index) => [name, index] as const))('names what has changed: %s', async (name, index) => {
  const all = changes[name] ?? []
  const undo = await Promise.all(all.map(make))
  const world = globalThis as Record<symbol, unknown>
  world[Symbol.for('test/noise')] = 'loud'
  try {
    const { config: loaded } = await loadConfig()
    const options = await replayOptionsOf(loaded, 'chat')
    const run = await replay(await readTrace(`g${index}`), agent, all.some(isNode) ? {} : options)
    const { headline } = createReport(await withNextCommands(run, { optionsIn: 'config' }))
    const told = all[0]?.told ?? ''
    const end = all.some(isNode) ? `${process.versions.node}; the agent's code did not change.` : ''
    expect(headline).toBe(`Failed to replay "g${index}": step 1 diverged (input: args). ${told}${end}`)
  } finally {
    delete world[Symbol.for('test/noise')]
    for (const each of undo) await each()
  }
})
