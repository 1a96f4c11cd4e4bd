import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A directory whose file system answers nobody, as a network file system whose server is gone. */
export interface DeadMount extends AsyncDisposable {
  readonly directory: string
  /** Has the server of it end: whoever asks is refused from then on. Gives the mount, to be disposed of. */
  lose(): Promise<DeadMount>
}

/**
 * Mounts one over a directory: FUSE, with nobody who reads its requests. Who asks it for anything waits until it is disposed of. Source: fuse(4),
 * mount(8); `-i` leaves the helper out, so that nothing has to be installed.
 *
 * @returns undefined where this process may not mount.
 */
export async function mountDead(directory: string): Promise<DeadMount | undefined> {
  const command = `exec 3<>/dev/fuse && mount -i -t fuse -o fd=3,rootmode=40000,user_id=0,group_id=0 none "$1" && echo mounted && exec sleep 300`
  const holder = spawn('sh', ['-c', command, 'sh', directory], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(holder, 'exit')
  const isMounted = await Promise.race([once(holder.stdout, 'data').then(() => true), ended.then(() => false)])
  if (!isMounted) return undefined
  const mount: DeadMount = {
    directory,
    async lose() {
      holder.kill()
      await ended
      return mount
    },
    async [Symbol.asyncDispose]() {
      // Whoever waits is told that it is gone.
      await mount.lose()
      await once(spawn('umount', ['-l', directory], { stdio: 'ignore' }), 'exit')
    },
  }
  return mount
}
