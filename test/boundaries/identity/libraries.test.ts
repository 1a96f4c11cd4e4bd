import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runNode } from '../../support/run-command.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'

type Ids = Readonly<Record<string, readonly string[]>>

const program = fileURLToPath(new URL('programs/ids.ts', import.meta.url))
const register = new URL('../../../src/register.ts', import.meta.url).href

/** Records in one process and replays in another, each with these options of Node's. */
async function recordAndReplay(...options: readonly string[]): Promise<{ recorded: Ids; cold: Ids; warm: Ids }> {
  await using directory = await createTemporaryDirectory()
  const store = directory.resolve('runs')
  const run = async (mode: string): Promise<unknown> => {
    const { stdout, stderr } = await runNode(directory.path, [...options, program, mode, store])
    expect(stderr).toBe('')
    return JSON.parse(stdout)
  }
  const recorded = (await run('record')) as Ids
  const [cold, warm] = (await run('replay')) as [Ids, Ids]
  return { recorded, cold, warm }
}

it('makes the same ids in a process that has made none before, and in one that has', async () => {
  const { recorded, cold, warm } = await recordAndReplay('--import', register)
  expect(cold).toEqual(recorded)
  expect(warm).toEqual(recorded)
  // And they are ids still.
  const made = Object.values(recorded).flat()
  expect(new Set(made).size).toBe(made.length)
  expect(made).toHaveLength(51)
})

it('cannot where the libraries were not reached, as the documentation says', async () => {
  const { recorded, cold, warm } = await recordAndReplay()
  const differing = (replayed: Ids): string[] => Object.keys(recorded).filter((way) => String(replayed[way]) !== String(recorded[way]))
  const keeping = ['uuid v1', 'nanoid', 'nanoid of a size', 'nanoid of an alphabet', 'cuid2', 'cuid2 of a length']
  expect(differing(cold)).toEqual(expect.arrayContaining(keeping))
  expect(differing(warm)).toEqual(expect.arrayContaining([...keeping, 'uuid v7']))
  // A plain v4 keeps nothing.
  expect([cold['uuid v4'], warm['uuid v4']]).toEqual([recorded['uuid v4'], recorded['uuid v4']])
})

it('reaches a library that is required from a package without a type, and keeps all else that it exports', async () => {
  await using directory = await createTemporaryDirectory()
  await directory.write('node_modules/uuid/package.json', '{ "name": "uuid", "main": "./lib/index.js" }')
  await directory.write(
    'node_modules/uuid/lib/index.js',
    `Object.defineProperty(exports, '__esModule', { value: true })
     const v4 = (options) => (options?.random === undefined ? 'pool' : 'drawn')
     Object.defineProperty(exports, 'v4', { enumerable: true, get: () => v4 })
     exports.validate = () => true`,
  )
  const recorder = new URL('../../../src/record/recorder.ts', import.meta.url).href
  const agent = await directory.write(
    'agent.cjs',
    `const { v4, validate, __esModule } = require('uuid')
     import(${JSON.stringify(recorder)}).then(async ({ createRecorder }) => {
       const ids = await createRecorder({ store: 'runs' }).run({ agent: 'a', input: {} }, () => [v4(), v4(null), validate()])
       console.log(JSON.stringify([ids, v4(), __esModule]))
     })`,
  )
  const { stdout, stderr } = await runNode(directory.path, ['--import', register, agent])
  expect([stderr, JSON.parse(stdout)]).toEqual(['', [['drawn', 'drawn', true], 'pool', true]])
})
