import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { runNode } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const source = pathToFileURL(fileURLToPath(new URL('../../src/cli/ignore-refusals.ts', import.meta.url))).href

const refused = "Object.assign(new Error('refused'), { code: 'GOLDENRUN_REFUSED' })"

it.each([
  ['goes on after a refusal that nobody handles', `throw ${refused}`, { status: 0, stdout: 'went on\n' }],
  [
    'goes on after a rejection by a refusal',
    `void Promise.reject(new Error('lost', { cause: ${refused} }))`,
    { status: 0, stdout: 'went on\n' },
  ],
  [
    'ends after another error',
    "throw new TypeError('no luck')",
    { status: 1, stdout: '', stderr: expect.stringMatching(/^TypeError: no luck$/m) },
  ],
  [
    'ends after a rejection by another error',
    "void Promise.reject(new TypeError('no luck'))",
    { status: 1, stdout: '', stderr: expect.stringMatching(/^TypeError: no luck$/m) },
  ],
])('%s', async (_, code, expected) => {
  await using directory = await createTemporaryDirectory()
  const program = `import { ignoreRefusals } from '${source}'
    ignoreRefusals()
    setTimeout(() => { ${code} })
    setTimeout(() => console.log('went on'), 20)`
  expect(await runNode(directory.path, ['--input-type=module', '--eval', program])).toMatchObject(expected)
})
