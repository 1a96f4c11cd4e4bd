import { spawn } from 'node:child_process'
import type { WriteStream } from 'node:tty'

/**
 * Writes a text to a terminal; text with more lines than the terminal goes through the pager in `PAGER`, or `less`. If that cannot be run,
 * the text is written directly.
 */
export async function page(text: string, terminal: Pick<WriteStream, 'rows' | 'write'>): Promise<void> {
  const usual = process.platform === 'win32' ? '' : 'less -R -F -X'
  const command = process.env['PAGER'] ?? usual
  const isShort = text.split('\n').length < terminal.rows
  if (isShort || command === '' || !(await runPager(command, `${text}\n`))) terminal.write(`${text}\n`)
}

/** @returns Whether the pager could be run. */
function runPager(command: string, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    // Leaves Ctrl-C to the pager.
    const ignore = (): void => undefined
    process.on('SIGINT', ignore)
    // PAGER contains a command line: `less -R`.
    const pager = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'] })
    pager.once('error', () => resolve(false))
    pager.once('close', (status) => {
      process.off('SIGINT', ignore)
      // A shell returns these if it cannot run the command.
      resolve(status !== 126 && status !== 127)
    })
    // The user may quit the pager before the end.
    pager.stdin.on('error', () => undefined)
    pager.stdin.end(text)
  })
}
