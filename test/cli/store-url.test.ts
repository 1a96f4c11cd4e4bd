import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { createRecorder } from '../../src/record/recorder.ts'
import { toStore } from '../../src/stores/default-store.ts'
import { createUrlStore, isStoreUrl } from '../../src/stores/store-url.ts'
import { runCommand } from '../support/run-command.ts'
import { recordCancel } from '../support/recordings.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

it('lists a directory by its URL, from the option and from the config', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel('runs')
  const url = pathToFileURL(project.resolve('runs')).href
  expect((await runCommand(project.path, ['list', '--store', url])).stdout).toContain(id)
  writeFileSync('goldenrun.config.mjs', `export default { store: ${JSON.stringify(url)} }\n`)
  expect((await runCommand(project.path, ['show', 'latest'])).stdout).toContain(id)
})

it('names the stores that there are, and no password, where a URL is of none of them', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const { stderr, status } = await runCommand(project.path, ['list', '--store', 'gs://user:hunter2@bucket/runs'])
  expect(stderr).toContain('There is no store for gs://user:***@bucket/runs. Known stores: a directory, redis://, rediss://, s3://.')
  expect(status).toBe(2)
})

it.each([
  ['redis://host', true],
  ['s3://bucket/prefix', true],
  ['.goldenrun/runs', false],
  ['/var/runs', false],
  ['C:\\runs', false],
  ['C://runs', false],
])('tells URLs from directories: %s', (location, expected) => {
  expect(isStoreUrl(location)).toBe(expected)
})

it('refuses a URL of no store when a recorder is made', () => {
  expect(() => createUrlStore('ftp://host/runs')).toThrow('There is no store for ftp://host/runs.')
  expect(() => createRecorder({ store: 'ftp://host/runs' })).toThrow('There is no store for ftp://host/runs.')
})

it('loads a store by its URL, which says what it cannot do', async () => {
  const { store, place } = toStore('redis://user:hunter2@127.0.0.1:1/0')
  expect(place).toBe('redis://user:***@127.0.0.1:1/0')
  expect(store.find).toBeTypeOf('function')
  expect(store.readStep).toBe(undefined)
  expect(store.locate?.('20261121-120001000-00000001')).toBe('redis://user:***@127.0.0.1:1/0#20261121-120001000-00000001')
})
