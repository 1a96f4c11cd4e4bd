import { expect, it } from 'vitest'
import { holds } from '../../../src/boundaries/files/covered-paths.ts'
import { patternOf, toPathPattern } from '../../../src/boundaries/files/file-patterns.ts'

it.each([
  ['/data/**', '/data'],
  ['/data/*.json', '/data'],
  ['/srv/*/data/**', '/srv'],
  ['/data/a.txt', '/data/a.txt'],
  ['/**', '/'],
])('%s begins with %s', (pattern, beginning) => expect(toPathPattern(pattern).beginning).toBe(beginning))

it.each([
  ['/**', '/app', true],
  ['/app/**', '/app', true],
  ['/app/data/**', '/app', false],
  ['/data/**', '/app', false],
  ['/data/**', '/', false],
  ['/**', '/', false],
])('leaves out the project: %s where it is %s is %s', (pattern, project, is) => expect(holds(toPathPattern(pattern), project)).toBe(is))

it('knows the folders that hold what it matches', () => {
  const mayLieIn = (pattern: string, folder: string): boolean => toPathPattern(pattern).mayLieIn(folder)
  expect(['/', '/srv', '/srv/one', '/srv/one/data', '/other'].map((folder) => mayLieIn('/srv/*/data/**', folder))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ])
  expect([patternOf('/a/b').mayLieIn('/a'), patternOf('/a/b').mayLieIn('/a/b'), patternOf('/a/b').mayLieIn('/c')]).toEqual([
    true,
    false,
    false,
  ])
})
