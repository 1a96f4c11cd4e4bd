import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildPackage } from './build-package.ts'
import type { TemporaryDirectory } from './temporary-directory.ts'

/** A terminal is made by util-linux; the options of others are different. */
export const hasTerminal: boolean = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0
if (!hasTerminal) console.warn('Not tested: paging at a terminal, since there is no `script` of util-linux to make one.')

/** What makes a pager of the project the one that is used. */
export const pager: Readonly<Record<string, string>> = { PAGER: 'sh ./pager.sh' }

/** Shows a golden at a terminal of so many rows, in a project that has a pager, and gives what is printed. */
export async function showAtTerminal(
  project: TemporaryDirectory,
  rows: number,
  args: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  await project.write('pager.sh', 'echo "PAGED: $(wc -l) lines"\n')
  const golden = fileURLToPath(new URL('../../golden-traces/cancel-unshipped-support-openai.jsonl', import.meta.url))
  const main = `${await buildPackage()}/dist/cli.js`
  const command = `stty cols 100 rows ${rows}; "${process.execPath}" "${main}" show "${golden}" ${args}`
  const { NO_COLOR: _, ...own } = process.env
  const options = { cwd: project.path, encoding: 'utf8', env: { ...own, FORCE_COLOR: '1', ...env } } as const
  return spawnSync('script', ['--quiet', '--return', '--command', command, '/dev/null'], options).stdout
}
