import { rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRandom } from '../support/random.ts'
import { type Asked, type Asker, type Runner, configs, createUnsaidProject, type UnsaidProject } from './unsaid-project.ts'
import { type WayOfForgetting, waysOfForgetting } from './ways-of-forgetting.ts'
import { type WayOut, waysOut } from './ways-out.ts'

const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
/** So many of each list, drawn by the seed: `npm run test:full -- unsaid` takes all. */
const count = Number(process.env['GOLDENRUN_UNSAID'] ?? 4)
const random = createRandom(seed)
console.log(`A sample of the ways to end without a verdict (GOLDENRUN_SEED=${seed})`)

/** Only where all are run: npm installs Vitest 4. */
const withVitest4 = count > waysOut.length
const askers: readonly Asker[] = ['vitest', ...(withVitest4 ? (['vitest 4'] as const) : []), 'jest', 'command']

/** Both versions of a runner have to say the same. */
function runnerOf(asker: Asker): Runner {
  return asker === 'vitest 4' ? 'vitest' : asker
}

function sampleOf<Item>(items: readonly Item[]): Item[] {
  return random.shuffle(items).slice(0, count)
}

const out = waysOut.flatMap((way) => askers.map((asker) => ({ way, asker, title: `${asker}: ${way.name}` })))
const forgotten = waysOfForgetting.flatMap((way) =>
  askers.filter((asker) => way.where.includes(runnerOf(asker))).map((asker) => ({ way, asker, title: `${asker}: ${way.name}` })),
)

let project: UnsaidProject
let golden = ''

beforeAll(async () => {
  project = await createUnsaidProject({ withVitest4 })
  golden = await project.read('golden-traces/greets.jsonl')
}, 240_000)

afterAll(() => project[Symbol.asyncDispose]())

it.for(sampleOf(out))('is not green without a word: $title', { timeout: 200_000 }, async ({ way, asker }, { skip }) => {
  skip(way.open?.in.includes(runnerOf(asker)) === true, way.open?.why)
  await project.writeAgent({ imports: way.imports ?? {}, [way.at]: way.code })
  const asked = await project.ask(asker)
  expect(asked.status, `It did not end.\n${asked.output}`).not.toBeNull()
  const said = asked.status === 0 ? greenBy(way, asker, asked) : 'red'
  expect(['a word', 'red'], `${said}\n${asked.output}`).toContain(said)
})

/** Green is a golden that touched nothing, where the output says what was refused, or a file that a replay keeps from the disk. */
function greenBy({ kind, mayNotHappen }: WayOut, asker: Asker, { touched, output }: Asked): string {
  if (touched.length > 0) return `touched ${touched.join(', ')}`
  if (mayNotHappen?.includes(runnerOf(asker)) === true) return 'a word'
  if (kind === 'ends') return 'nothing'
  return kind === 'file' || output.includes('goldenrun refused to') ? 'a word' : 'nothing'
}

it.for(sampleOf(forgotten))(
  'is not green without a word, if somebody forgets: $title',
  { timeout: 200_000 },
  async ({ way, asker }, { skip }) => {
    skip(way.open?.in.includes(runnerOf(asker)) === true, way.open?.why)
    await forget(way, asker)
    const { status, output } = await project.ask(asker, argumentsOf(way, asker))
    const isSaid = status !== 0 || (way.expects !== 'red' && way.expects.test(output))
    expect(isSaid, output).toBe(true)
  },
)

async function forget(way: WayOfForgetting, asker: Asker): Promise<void> {
  for (const folder of ['golden-traces', 'golden-trace', 'test'])
    await rm(path.join(project.path, folder), { recursive: true, force: true })
  for (const [file, text] of Object.entries(configs)) await project.write(file, text)
  await project.writeAgent({ prompt: 'Greet rudely.' })
  await project.write(way.golden?.path ?? 'golden-traces/greets.jsonl', way.golden?.text ?? golden)
  if (way.test !== undefined)
    await project.write(asker === 'jest' ? 'test/greets.test.js' : 'test/greets.test.mjs', testCode(way.test, asker))
  if (way.without === 'setup') {
    await project.write('vitest.config.mjs', 'export default {}\n')
    await project.write('jest.config.cjs', "module.exports = { testEnvironment: 'node' }\n")
  }
  if (way.without === 'config') await rm(path.join(project.path, 'goldenrun.config.mjs'))
  if (way.without === 'agent') await project.write('goldenrun.config.mjs', 'export default { agents: {} }\n')
}

function testCode(test: string, asker: Asker): string {
  if (asker === 'jest')
    return `const { describeGolden, replay } = require('goldenrun/jest')\nconst { greet } = require('../src/agent.cjs')\n${test}\n`
  return `import { beforeAll, expect, test } from 'vitest'\nimport { describeGolden, replay } from 'goldenrun/vitest'\nimport { greet } from '../src/agent.mjs'\n${test}\n`
}

/** A test by hand is asked for alone: the golden's own file would be red. */
function argumentsOf({ args, test, golden: { path: place } = {} }: WayOfForgetting, asker: Asker): readonly string[] {
  if (args !== undefined) return args
  if (test !== undefined) return ['test/greets']
  if (place !== undefined) return []
  return asker === 'command' ? ['greets'] : ['golden-traces/greets.jsonl']
}
