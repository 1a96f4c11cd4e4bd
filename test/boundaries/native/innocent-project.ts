import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Activity, type Innocent, writeAgents } from './innocents.ts'

/** What came of one program: what its recording notes of native code, and how its replay differs. */
export interface Tried {
  readonly activity: string
  readonly addons: readonly string[]
  readonly contacts: readonly string[]
  readonly divergences: readonly string[]
}

/** Writes a project that records and replays one package's agents by the API, and prints what came of each. `try.mjs` takes no arguments. */
export async function writeScript(folder: string, innocent: Innocent, all: readonly Activity[], from: string): Promise<void> {
  await write(folder, {
    'agents.mjs': writeAgents(innocent, all, from),
    'try.mjs': `import { createRecorder } from 'goldenrun'
import { listTraces, readTrace, replay } from 'goldenrun/replay'
import * as agents from './agents.mjs'
const names = ${JSON.stringify(all.map(({ name }) => name))}
const recorder = createRecorder({ store: 'runs' })
for (const [index] of names.entries()) await recorder.run({ agent: 'agent' + index, input: undefined }, agents['agent' + index])
await recorder.flush()
const traces = await listTraces({ store: 'runs' })
const tried = []
for (const [index, activity] of names.entries()) {
  const trace = await readTrace(traces.find(({ agent }) => agent === 'agent' + index).id, { store: 'runs' })
  const notes = (what) => trace.rows.filter((row) => row.kind === 'note' && row.what === what).map(({ where }) => where)
  const { divergences } = await replay(trace, agents['agent' + index], { guard: 'run' })
  const told = divergences.map(({ cause, name, differences }) => [cause, name, JSON.stringify(differences)].join(' '))
  tried.push({ activity, addons: notes('native-addon'), contacts: notes('native-contact'), divergences: told })
}
await recorder.close()
console.log(JSON.stringify(tried))
process.exit(0)
`,
  })
}

/** Writes a project whose goldens a command and the runners replay. `promote.mjs` makes the goldens. */
export async function writeGoldens(folder: string, innocent: Innocent, all: readonly Activity[], from: string): Promise<void> {
  const agents = Object.fromEntries(all.map((_, index) => [`agent${index}`, `./agents.mjs#agent${index}`]))
  await write(folder, {
    'agents.mjs': writeAgents(innocent, all, from),
    'goldenrun.config.mjs': `export default { agents: ${JSON.stringify(agents)} }\n`,
    'vitest.config.mjs': "import { goldenrun } from 'goldenrun/vitest/plugin'\nexport default { plugins: [goldenrun()] }\n",
    'jest.config.mjs': "export default { preset: 'goldenrun/jest', transform: { '\\\\.jsonl$': 'goldenrun/jest/transform' } }\n",
    'promote.mjs': `import { createRecorder } from 'goldenrun'
import { listTraces, promote, readTrace } from 'goldenrun/replay'
import * as agents from './agents.mjs'
const recorder = createRecorder({ store: 'runs' })
for (let index = 0; index < ${all.length}; index += 1) await recorder.run({ agent: 'agent' + index, input: undefined }, agents['agent' + index])
await recorder.close()
for (const { id, agent } of await listTraces({ store: 'runs' })) await promote(await readTrace(id, { store: 'runs' }), { name: agent })
process.exit(0)
`,
  })
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true })
  const all = { 'package.json': '{ "private": true, "type": "module" }\n', ...files }
  for (const [name, text] of Object.entries(all)) await writeFile(path.join(folder, name), text)
}
