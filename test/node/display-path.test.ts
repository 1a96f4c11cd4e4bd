import path from 'node:path'
import { expect, it } from 'vitest'
import { displayPath } from '../../src/node/display-path.ts'

const here = process.cwd()
const slashed = (file: string): string => file.replaceAll(path.sep, '/')

it.each([
  ['a file below the working directory', path.join(here, 'src', 'agent.ts'), 'src/agent.ts'],
  ['a relative path', path.join('src', '..', 'agent.ts'), 'agent.ts'],
  ['a name that begins with two dots', path.join(here, '..agent.ts'), '..agent.ts'],
  ['a file beside the working directory', path.join(here, '..', 'other', 'agent.ts'), slashed(path.join(here, '..', 'other', 'agent.ts'))],
  ['the working directory', here, slashed(here)],
])('names %s', (_, file, expected) => {
  expect(displayPath(file)).toBe(expected)
})
