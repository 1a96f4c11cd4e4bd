import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync } from 'node:fs'
import { expect, it } from 'vitest'
import { placeOfDisk } from '../../src/stores/local-disk.ts'
import { mountDead } from '../support/dead-mount.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

it.runIf(process.platform === 'linux')(
  'takes a directory of this machine, which may not be there yet, for local, also by a link',
  async () => {
    await using directory = await createTemporaryDirectory()
    symlinkSync(directory.path, directory.resolve('a link to it'))
    expect(['', 'runs/of/today', 'a link to it/runs'].map((name) => placeOfDisk(directory.resolve(name)))).toEqual([
      'local',
      'local',
      'local',
    ])
  },
)

it.runIf(process.platform === 'linux')(
  'takes a file system of the kernel for one that lies elsewhere, and a loop of links for one of which nobody says',
  async () => {
    await using directory = await createTemporaryDirectory()
    symlinkSync(directory.resolve('there'), directory.resolve('back'))
    symlinkSync(directory.resolve('back'), directory.resolve('there'))
    expect([placeOfDisk('/proc/goldenrun/runs'), placeOfDisk(directory.resolve('there'))]).toEqual(['elsewhere', 'unknown'])
  },
)

it.runIf(process.platform === 'linux')('asks no file system that has gone', async ({ skip }) => {
  await using directory = await createTemporaryDirectory()
  const mounted = directory.resolve('gone away')
  mkdirSync(mounted)
  await using mount = await mountDead(mounted)
  if (mount === undefined) skip('nothing can be mounted here')
  symlinkSync(`${mounted}/runs`, directory.resolve('link'))
  for (const name of ['gone away', 'gone away/runs', 'link/of/today']) expect(placeOfDisk(directory.resolve(name))).toBe('elsewhere')
})

it.runIf(process.platform === 'linux')('takes what is mounted on top of a mount for what answers', async ({ skip }) => {
  await using directory = await createTemporaryDirectory()
  mkdirSync(directory.resolve('runs'))
  await using mount = await mountDead(directory.resolve('runs'))
  if (mount === undefined) skip('nothing can be mounted here')
  const run = async (...command: readonly string[]): Promise<void> => void (await once(spawn(command[0] ?? '', command.slice(1)), 'exit'))
  const runs = directory.resolve('runs')
  await run('mount', '-t', 'tmpfs', 'none', runs)
  expect(placeOfDisk(directory.resolve('runs'))).toBe('local')
  await run('umount', runs)
  expect(placeOfDisk(directory.resolve('runs'))).toBe('elsewhere')
})
