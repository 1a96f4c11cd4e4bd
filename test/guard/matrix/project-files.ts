/** The files of a project that takes ways out, by their names. */
export const projectFiles: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "ways", "private": true, "type": "module" }\n',
  'agent.mjs': "export { agent } from './ways-out/index.mjs'\n",
  'goldenrun.config.ts': `import { defineConfig } from 'goldenrun/config'

export default defineConfig({ agents: { way: './agent.mjs#agent' } })
`,
  // Before the first line of goldenrun is loaded.
  'setup.mjs': `import { openBefore } from './ways-out/index.mjs'

// A process that is started from here is started with this, too.
if (process.env.WAYS_OPENED === undefined) {
  process.env.WAYS_OPENED = 'yes'
  // What a way leaves behind when it is refused ends no process.
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => console.error(event, error))
  const file = globalThis.__vitest_worker__?.filepath ?? ''
  const [, golden] = /([^/\\\\]+)\\.jsonl$/.exec(file) ?? []
  await openBefore(golden === undefined ? undefined : [golden])
}
`,
  'record.mjs': `import { rm } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { agent, openBefore, trials } from './ways-out/index.mjs'
import { createRecorder } from 'goldenrun'
import { promote, readTrace } from 'goldenrun/replay'

await openBefore()
for (const trial of trials) {
  const record = async (body) => {
    const store = 'runs/' + trial.id
    await rm(store, { recursive: true, force: true })
    const recorder = createRecorder({ store, thread: false })
    const going = recorder.run({ agent: 'way', input: { trial: trial.id } }, body)
    const isThrough = await Promise.race([going.then(() => true, () => false), new Promise((resolve) => setTimeout(resolve, 3000, false))])
    await Promise.race([recorder.close(), new Promise((resolve) => setTimeout(resolve, 1000))])
    const name = readdirSync(store).find((file) => file.endsWith('.runlog'))
    if (!isThrough || name === undefined) return false
    const options = { name: trial.id, directory: 'golden-traces', allowUnrecordedContacts: true, force: true }
    return await promote(await readTrace(store + '/' + name), options).then(() => true, (error) => console.error(trial.id, error.message))
  }
  const { isMissing, endsProcess, name } = trial.way
  const isTaken = isMissing?.() !== true && endsProcess !== true && (await record(agent))
  if (isTaken) continue
  console.log('by hand: ' + trial.id + ' ' + name)
  await record(async () => 'done')
}
// What the last way leaves behind comes up to 30 ms after its run.
await new Promise((resolve) => setTimeout(resolve, 500))
console.log('recorded')
process.exit(0)
`,
  'vitest.config.ts': `import { goldenrun } from 'goldenrun/vitest/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [goldenrun()],
  test: { server: { deps: { external: [/ways-out/] } }, setupFiles: ['./setup.mjs'], include: ['hand.test.mjs'], maxWorkers: 2, testTimeout: 30_000, hookTimeout: 60_000, dangerouslyIgnoreUnhandledErrors: true },
})
`,
  'hand.test.mjs': `import { expect, test } from 'vitest'
import { agent, trials } from './ways-out/index.mjs'
import { replay } from 'goldenrun/vitest'

test.each(trials.map(({ id }) => id))('%s', async (id) => {
  expect(await replay(id, agent)).toReplayWithoutDivergence()
})
`,
  'jest.config.cjs': `module.exports = {
  testEnvironment: 'goldenrun/jest/environment',
  testMatch: ['**/hand.test.cjs'],
  transform: {},
  testTimeout: 30_000,
}
`,
  'hand.test.cjs': `const { agent, openBefore, trials } = require('./ways-out/index.cjs')
const { replay } = require('goldenrun/jest')

const ready = openBefore()
beforeAll(() => ready, 60_000)

test.each(trials.map(({ id }) => id))('%s', async (id) => {
  expect(await replay(id, agent)).toReplayWithoutDivergence()
})
`,
}
