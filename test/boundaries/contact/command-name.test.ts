import { expect, it } from 'vitest'
import { commandOfShell, programName } from '../../../src/boundaries/process/program-name.ts'

const commands: readonly (readonly [command: string, name: string])[] = [
  ['git push origin', 'git'],
  ['  /usr/bin/git push', 'git'],
  ['"/opt/my tools/run me" now', 'run me'],
  ["'/opt/tool' now", 'tool'],
  ['TOKEN=secret git push', 'git'],
  ['TOKEN="se cret" OTHER=\'x y\' git push', 'git'],
  ['TOKEN=secret', 'shell'],
  ['ls|wc', 'ls'],
  ['ls;rm', 'ls'],
  ['', 'shell'],
]

it.each(commands)('names the program of the command %j', (command, name) => {
  expect(commandOfShell(command)).toBe(name)
})

it('names a program without its folder', () => {
  expect([programName('/usr/bin/git'), programName('git')]).toEqual(['git', 'git'])
})
