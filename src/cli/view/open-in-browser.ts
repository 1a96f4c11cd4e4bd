import { spawn } from 'node:child_process'

/** Opens a file or an address in the user's browser. @returns Whether a program to do so could be started. */
export function openInBrowser(target: string): Promise<boolean> {
  const [command, args] = openerOf(target)
  return new Promise((resolve) => {
    const child = spawn(command, args, { detached: true, stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

function openerOf(target: string): readonly [command: string, args: readonly string[]] {
  if (process.platform === 'darwin') return ['open', [target]]
  // `start` of `cmd` would read the address as a command line.
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', target]]
  return ['xdg-open', [target]]
}
