import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { expect, it } from 'vitest'
import { readPage } from '../docs/pages.ts'
import { createJestWorkspace, expectPassed } from '../support/jest-workspace.ts'

const project = new URL('../projects/jest-esm/', import.meta.url)
const read = (file: string): Promise<string> => readFile(new URL(file, project), 'utf8')

/** A file of the project without its types. */
async function javascript(file: string): Promise<string> {
  return stripTypeScriptTypes(await read(file)).replaceAll(/(from '\.[^']+)\.ts'/g, "$1.js'")
}

it('runs the code of the page on Jest', async () => {
  await using workspace = await createJestWorkspace()
  const blocks = readPage('docs/jest.md').blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text] as const]))
  expect(blocks.map(([file]) => file)).toEqual([
    'jest.config.js',
    'jest.config.cjs',
    'jest.config.mjs',
    'test/cancel.test.js',
    'test/document-environment.js',
  ])
  const result = await workspace.jest(
    {
      'package.json': '{ "name": "support", "private": true, "type": "module" }\n',
      'src/agent.js': await javascript('src/agent.ts'),
      'src/prompt.js': await javascript('src/prompt.ts'),
      'src/tools.js': await javascript('src/tools.ts'),
      'golden-traces/cancel-unshipped.jsonl': await read('golden-traces/cancel-unshipped.jsonl'),
      'golden-traces/unknown-order.jsonl': await read('golden-traces/unknown-order.jsonl'),
      'goldenrun.config.js': "export default { agents: { support: './src/agent.js#supportAgent' } }\n",
      ...Object.fromEntries(blocks.filter(([file]) => file === 'jest.config.js' || file === 'test/cancel.test.js')),
    },
    { node: ['--experimental-vm-modules'], env: { OPENAI_API_KEY: '' }, withTransforms: true },
  )
  expectPassed(result, 5)
  expect(result.stderr).toContain('Goldens:     2 held (2)')
})
