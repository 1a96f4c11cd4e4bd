import { spawn } from 'node:child_process'

/** Runs Node in a folder, in a process that knows nothing of the test runner. A status of null: it had to be ended. */
export function runProgram(folder: string, args: readonly string[], timeout: number): Promise<{ status: number | null; output: string }> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH, HOME, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    // What a process has started may keep its streams open.
    child.once('exit', (status, signal) =>
      setTimeout(() => resolve({ status: signal === 'SIGKILL' ? null : (status ?? 128), output }), 100),
    )
  })
}
