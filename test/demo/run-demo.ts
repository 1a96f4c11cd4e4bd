import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { GUTTER } from '../../examples/demo/narrator.ts'

/** What came of a run of the demo. */
export interface DemoRun {
  readonly status: number | null
  /** All that it printed, on both streams. */
  readonly output: string
  /** What it left in the folder for temporary files. */
  readonly left: readonly string[]
}

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

/** Runs a command line that runs the demo, in a process that knows nothing of the test runner and with a folder for temporary files of its own. */
export async function runDemo(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<DemoRun> {
  const temporary = await mkdtemp(path.join(tmpdir(), 'goldenrun-test-'))
  try {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && !['NODE_ENV', 'NODE_OPTIONS'].includes(name))
    const child = spawn(command, args, {
      cwd: REPOSITORY,
      env: { ...Object.fromEntries(own), TMPDIR: temporary, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const status = await new Promise<number | null>((resolve, reject) => void child.once('error', reject).once('close', resolve))
    return { status, output, left: (await readdir(temporary)).filter((name) => name.startsWith('goldenrun-')) }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** The lines that the demo's commands printed, without what stands before them. */
export function commandOutput(output: string): string {
  const gutter = GUTTER.trimEnd()
  const lines = output.split('\n').filter((line) => line.startsWith(gutter))
  return lines.map((line) => line.slice(GUTTER.length)).join('\n')
}
