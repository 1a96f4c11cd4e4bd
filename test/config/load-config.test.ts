import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { defineConfig } from '../../src/config/define-config.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const entry = JSON.stringify(new URL('../../src/config.ts', import.meta.url).href)

const full = `
import { defineConfig, type GoldenrunConfig } from ${entry}

enum Model { Support = 'gpt-5' }

const config: GoldenrunConfig = defineConfig({
  agents: { support: './src/agent.ts#supportAgent', triage: 'src/triage.ts' },
  store: 'runs',
  env: ['REGION'],
  compareHeaders: ['x-tenant'],
  effects: { 'POST search.example/v1/*': 'read' },
  ambient: ['auth.example.com'],
  mute: ['metrics.example.com'],
  redact: { keep: ['support@shop.example'] },
  replay: {
    tools: { get_order: 'run', send: (args: { to: string }) => args.to },
    ignore: ['messages[*].metadata.requestId'],
    normalize: { 'args.at': 'date', 'args.id': (id: string) => id.length },
    allowModelDrift: [{ from: 'gpt-4.1', to: Model.Support }],
  },
  check: { maxAgeDays: 90, models: { support: Model.Support, triage: ['gpt-5-mini', 'o5'] } },
})

export default config
`

it('loads a config with every field, with its types and functions', async () => {
  await using project = await createTemporaryDirectory()
  const file = await project.write('goldenrun.config.ts', full)
  const loaded = await loadConfig(project.path)
  expect(loaded).toEqual({
    file,
    config: {
      agents: { support: './src/agent.ts#supportAgent', triage: 'src/triage.ts' },
      store: 'runs',
      env: ['REGION'],
      compareHeaders: ['x-tenant'],
      effects: { 'POST search.example/v1/*': 'read' },
      ambient: ['auth.example.com'],
      mute: ['metrics.example.com'],
      redact: { keep: ['support@shop.example'] },
      replay: {
        tools: { get_order: 'run', send: expect.any(Function) },
        ignore: ['messages[*].metadata.requestId'],
        normalize: { 'args.at': 'date', 'args.id': expect.any(Function) },
        allowModelDrift: [{ from: 'gpt-4.1', to: 'gpt-5' }],
      },
      check: { maxAgeDays: 90, models: { support: 'gpt-5', triage: ['gpt-5-mini', 'o5'] } },
    },
  })
})

it.each(['mts', 'js', 'mjs'])('loads a config with the extension %s, and what it imports', async (extension) => {
  await using project = await createTemporaryDirectory()
  await project.write('package.json', '{ "type": "module" }')
  await project.write(`models.${extension}`, "export const model = 'gpt-5'\n")
  const text = `import { model } from './models.${extension}'\nexport default { check: { models: { support: model } } }\n`
  await project.write(`goldenrun.config.${extension}`, text)
  expect((await loadConfig(project.path)).config).toEqual({ check: { models: { support: 'gpt-5' } } })
})

it('finds the nearest config upwards, or none', async () => {
  await using project = await createTemporaryDirectory()
  await project.write('packages/a/src/x.txt', '')
  expect(await loadConfig(project.resolve('packages/a/src'))).toEqual({ config: {} })
  await project.write('goldenrun.config.js', "export default { store: 'root' }\n")
  expect((await loadConfig(project.resolve('packages/a/src'))).config).toEqual({ store: 'root' })
  await project.write('packages/a/goldenrun.config.mjs', "export default { store: 'a' }\n")
  expect((await loadConfig(project.resolve('packages/a/src'))).config).toEqual({ store: 'a' })
})

it.each([
  ['ts', 'module', 'export default'],
  ['mts', 'module', 'export default'],
  ['mjs', 'commonjs', 'export default'],
  ['js', 'module', 'await 0; export default'],
  ['js', 'commonjs', 'module.exports ='],
])(
  'loads a config with the extension %s that was changed meanwhile as it is now (a package of type %s)',
  async (extension, type, exports) => {
    await using project = await createTemporaryDirectory()
    await project.write('package.json', `{ "type": "${type}" }`)
    for (const store of ['one', 'other']) {
      await project.write(`goldenrun.config.${extension}`, `${exports} { store: '${store}' }\n`)
      expect((await loadConfig(project.path)).config).toEqual({ store })
    }
  },
)

const faults: readonly (readonly [config: string, message: string])[] = [
  ['3', 'has to export an object as its default: export default defineConfig({ … }).'],
  [
    '{ agent: {} }',
    ': the field agent is not known. The fields are: agents, store, env, compareHeaders, effects, ambient, mute, record, files, headers, assertReplays, live, refuse, retention, secrets, redact, replay, sandbox, prices, check, limits.',
  ],
  [
    '{ agents: { "the agent": "#x" } }',
    ': the field agents["the agent"] has to be a file, or a file and its export: "./src/agent.ts#supportAgent"; or { module, context } with a function for its context.',
  ],
  [
    '{ agents: { support: { module: "./src/agent.ts", context: 7 } } }',
    ': the field agents.support has to be a file, or a file and its export: "./src/agent.ts#supportAgent"; or { module, context } with a function for its context.',
  ],
  ['{ redact: 7 }', ': the field redact has to be an object.'],
  ['{ redact: { rule: [] } }', ': the field redact takes rules, off, keep, draws, countries, not "rule".'],
  ['{ effects: ["POST a.example/find"] }', ": the field effects has to be an object: effects: { 'POST search.example/v1/*': 'read' }."],
  [
    '{ effects: { "a.example/find": "read" } }',
    `: the field effects has the key "a.example/find", which has to be a method, a host and a path: 'POST search.example/v1/*'.`,
  ],
  [
    '{ effects: { "POST a.example/find": "reads" } }',
    `: the field effects has to say 'read' or 'write' for "POST a.example/find", got "reads".`,
  ],
  ['{ agents: [] }', ': the field agents has to be an object.'],
  ['{ store: 7 }', ': the field store has to be a directory, or a store with open, list and read.'],
  ['{ env: ["A", ""] }', ': the field env[1] has to be text that is not empty.'],
  ['{ mute: "a.example.com" }', ': the field mute has to be a list of names.'],
  [
    '{ redact: { rules: [{ name: "ticket" }] } }',
    ': the field redact has a rule "ticket" that looks for nothing. Give it a path, a pattern, or a function as find.',
  ],
  [
    '{ replay: { onDivergence: "continue" } }',
    ': the field replay.onDivergence is not known. The fields are: tools, ignore, normalize, allowModelDrift, telemetry.',
  ],
  [
    '{ replay: { tools: "live" } }',
    ': the field replay.tools has to be "stub", "run", or an object with one of them, or a function, by tool.',
  ],
  ['{ replay: { ignore: "args.id" } }', ': the field replay.ignore has to be a list of paths.'],
  [
    '{ replay: { ignore: ["args["] } }',
    ': the field replay.ignore has to hold paths like args.items[*]["odd key"]: "args[" cannot be parsed from "[" on.',
  ],
  [
    '{ replay: { normalize: { "args.id": "upper" } } }',
    ': the field replay.normalize has "upper" for "args.id": it takes a function, or one of uuid, date, whitespace, sorted.',
  ],
  ['{ replay: { allowModelDrift: [{ from: "a" }] } }', ': the field replay.allowModelDrift[0].to has to be text.'],
  [
    '{ replay: { allowModelDrift: [{ from: "a", to: "b", too: 1 }] } }',
    ': the field replay.allowModelDrift[0].too is not known. The fields are: from, to.',
  ],
  ['{ check: { maxAgeDays: "90" } }', ': the field check.maxAgeDays has to be a number of days.'],
  ['{ check: { maxAgeDays: 0 } }', ': the field check.maxAgeDays has to be a number of days above 0.'],
  ['{ check: { models: { support: 5 } } }', ': the field check.models.support has to be a model, or a list of models.'],
]

it.each(faults)('says what is wrong with %s', async (config, message) => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await project.write('goldenrun.config.ts', `export default ${config}\n`)
  await expect(loadConfig()).rejects.toMatchObject({
    code: 'GOLDENRUN_CONFIG',
    file: 'goldenrun.config.ts',
    message: `goldenrun.config.ts${message.startsWith(':') ? '' : ' '}${message}`,
  })
})

it('says why a config cannot be loaded', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  for (const [text, problem] of [
    ['export const config = {}', 'has to export an object as its default'],
    ['export default {', 'could not be loaded: '],
    ["throw new Error('no region')", 'could not be loaded: no region'],
    ["import './nowhere.ts'", 'could not be loaded: Cannot find module'],
  ] as const) {
    await project.write('goldenrun.config.ts', text)
    await expect(loadConfig()).rejects.toThrow(`goldenrun.config.ts ${problem}`)
  }
})

it('refuses two configs beside one another', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  for (const extension of ['js', 'mts']) await project.write(`goldenrun.config.${extension}`, 'export default {}\n')
  await expect(loadConfig()).rejects.toThrow('goldenrun.config.mts exists next to goldenrun.config.js. Keep one of them.')
})

it('loads the config that the documentation shows', async () => {
  await using project = await createTemporaryDirectory()
  const text = await readFile(new URL('../../docs/comparing.md', import.meta.url), 'utf8')
  const [, block = ''] = /```ts\n(\/\/ goldenrun\.config\.ts\n[^]*?)```/.exec(text) ?? []
  await project.write('goldenrun.config.ts', block.replace("'goldenrun/config'", entry))
  expect((await loadConfig(project.path)).config).toMatchObject({
    agents: { support: './src/agent.ts#supportAgent' },
    check: { maxAgeDays: 90 },
  })
})

it('gives a config back as it is', () => {
  const config = { store: 'runs' }
  expect(defineConfig(config)).toBe(config)
})
