import { expect, it } from 'vitest'
import { runNode } from '../../support/run-command.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { register } from './ids-of-processes.ts'

// The same ids in other processes: libraries.slow.test.ts.
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
