import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { hasEnded, processName } from '../../src/node/process-name.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const program = fileURLToPath(new URL('programs/take-lease.ts', import.meta.url))

// Other systems do not say which processes a lease may be compared with.
it.runIf(process.platform === 'linux')('grants a lease whose process was killed, before it runs out', async () => {
  await using directory = await createTemporaryDirectory()
  const { signal, stdout } = spawnSync(process.execPath, [program, directory.path], { encoding: 'utf8' })
  expect([signal, stdout]).toEqual(['SIGKILL', 'taken'])
  const store = createDirectoryStore(directory.path)
  const lease = await store.lease('retention', 600_000)
  expect(lease).not.toBe(undefined)
  expect(await createDirectoryStore(directory.path).lease('retention', 600_000)).toBe(undefined)
  await lease?.release()
})

it.runIf(process.platform === 'linux')('takes no process of another machine or container for one that ended', () => {
  const name = processName() ?? ''
  expect(name).not.toBe('')
  expect(hasEnded(name)).toBe(false)
  // No process has an id that is larger than the system's largest, 4194304.
  const ended = name.replace(/\d+$/, '4194305')
  expect(hasEnded(ended)).toBe(true)
  expect(hasEnded(ended.replace(/^[^ ]+/, 'another-boot'))).toBe(false)
  expect(hasEnded(ended.replace(/pid:\[\d+\]/, 'pid:[1]'))).toBe(false)
  expect(hasEnded(undefined)).toBe(false)
})
