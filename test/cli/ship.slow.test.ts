import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { newBucket, setUpShipCommands, world } from '../support/ship-commands.ts'

setUpShipCommands()

it('keeps watching while the bucket refuses, with and without recordings to ship', async () => {
  await using project = await createTemporaryDirectory()
  await createDirectoryStore(project.resolve('.goldenrun/runs')).flush()
  await project.write('.goldenrun/runs/.keep', '')
  world.fault = () => 403
  const args = [
    fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url)),
    'ship',
    '--to',
    newBucket(),
    '--watch',
    '--every',
    '200ms',
  ]
  const watching = spawn(process.execPath, args, { cwd: project.path, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(watching, 'exit')
  let printed = ''
  watching.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const times = (): number => printed.match(/access was denied/g)?.length ?? 0
  try {
    await vi.waitFor(() => expect(times(), printed).toBeGreaterThan(1), { timeout: 60_000 })
  } finally {
    world.fault = () => undefined
    watching.kill()
  }
  expect(await exited).toEqual([null, 'SIGTERM'])
}, 90_000)
