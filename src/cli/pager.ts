import { spawn } from 'node:child_process'
import type { WriteStream } from 'node:tty'

/**
 * Writes a text to a terminal; one of more lines than it has goes through the pager that `PAGER` names, or `less`. Where that cannot be run, it
 * is written as it is.
 */
export async function page(text: string, terminal: Pick<WriteStream, 'rows' | 'write'>): Promise<void> {
  const usual = process.platform === 'win32' ? '' : 'less -R -F -X'
  const command = process.env['PAGER'] ?? usual
  const isShort = text.split('\n').length < terminal.rows
  if (isShort || command === '' || !(await runPager(command, `${text}\n`))) terminal.write(`${text}\n`)
}

/** @returns Whether there is such a pager. */
function runPager(command: string, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    // Ctrl-C is the pager's.
    const ignore = (): void => undefined
    process.on('SIGINT', ignore)
    // What PAGER holds is a command line: `less -R`.
    const pager = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'] })
    pager.once('error', () => resolve(false))
    pager.once('close', (status) => {
      process.off('SIGINT', ignore)
      // A shell says by these that it has found no command.
      resolve(status !== 126 && status !== 127)
    })
    // Who has read enough leaves before the end.
    pager.stdin.on('error', () => undefined)
    pager.stdin.end(text)
  })
}
