import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, rm } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { S3ObjectStorage } from '../../src/fleet/storage/s3-object-storage.ts'
import { toS3Location } from '../../src/fleet/storage/s3-location.ts'
import { StoreFiles } from '../../src/stores/store-files.ts'
import { buildPackage, linkPackages } from './build-package.ts'

/** A command in a process of its own. */
export interface RunningCommand {
  /** Kills it with SIGKILL, if it still runs. */
  kill(): void
  /** Settles once it is gone. The status is undefined if it was killed. */
  readonly ended: Promise<{ readonly status: number | undefined; readonly output: string }>
}

/** Installs the built package, with the packages that a bucket needs, into a project. */
export async function installPackage(project: string): Promise<void> {
  const modules = path.join(project, 'node_modules')
  await cp(await buildPackage(), path.join(modules, 'goldenrun'), { recursive: true })
  await linkPackages(modules, ['aws4fetch', 'hyparquet', 'hyparquet-writer'])
}

/** Starts a command of the package that is installed in a project. */
export function startCommand(directory: string, args: readonly string[]): RunningCommand {
  const command = path.join(directory, 'node_modules/goldenrun/dist/cli.js')
  const child = spawn(process.execPath, [command, ...args], { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = Promise.all([text(child.stdout), text(child.stderr)])
  const exited = once(child, 'exit')
  return {
    kill: () => void child.kill('SIGKILL'),
    ended: (async () => {
      const [status] = (await exited) as [number | null]
      return { status: status ?? undefined, output: (await printed).join('') }
    })(),
  }
}

/** On Linux, the next command takes over the leases of a dead process. Elsewhere they run out by themselves; nobody waits for that here. */
export async function endLeases(directory: string, url?: string): Promise<void> {
  if (process.platform === 'linux') return
  for (const name of ['ship', 'retention']) await rm(new StoreFiles(directory).leases(name), { recursive: true, force: true })
  if (url === undefined) return
  const storage = new S3ObjectStorage(toS3Location(url))
  for await (const page of storage.list({ prefix: 'leases/' })) for (const { key } of page) await storage.delete(key)
}
