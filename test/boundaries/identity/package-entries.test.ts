import { expect, it } from 'vitest'
import { readPackageEntries } from '../../../src/boundaries/identity/library-hooks.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'

it.each([
  ['nothing', {}, ['index.js']],
  ['main', { main: './dist/main.cjs' }, ['dist/main.cjs']],
  ['main without an extension', { main: 'lib' }, ['lib.js', 'lib/index.js']],
  ['main and module', { main: 'a.cjs', module: './b.mjs' }, ['b.mjs', 'a.cjs']],
  ['exports as a text', { exports: './only.js' }, ['only.js']],
  ['exports by condition', { exports: { import: './a.mjs', default: './a.cjs' } }, ['a.mjs', 'a.cjs']],
  [
    'exports by path, in conditions within conditions',
    { exports: { '.': { node: { import: './n.mjs', require: './n.cjs' }, default: './b.js' }, './other': './other.js' }, main: './n.cjs' },
    ['n.mjs', 'n.cjs', 'b.js', 'n.cjs'],
  ],
])('finds the entries of a package that has %s', async (_name, packageJson, entries) => {
  await using directory = await createTemporaryDirectory()
  await directory.write('package.json', JSON.stringify(packageJson))
  expect(readPackageEntries(directory.path).toSorted()).toEqual(entries.toSorted())
})
