import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { readRecordedWay } from '../../scripts/recorded-way.ts'
import type { Metrics, Suite } from '../figures.ts'
import { median } from '../rounds.ts'

const run = promisify(execFile)

/** How often the root entry is imported, each time in a new process. */
const IMPORTS = 15

interface Size {
  readonly tarball_files: number
  readonly installed_mb: number
}

/** Measures the size of the code, the way of a recorded call, the package, and with `--long` the duration of `npm test`. */
export const measureHouse: Suite = async (note, { quick, long }) => {
  note('Building the package.')
  await run(process.execPath, ['scripts/build.ts'])
  note('Installing the package as production does.')
  const { stdout } = await run(process.execPath, ['scripts/check-size.ts', '--json'])
  const size = JSON.parse(stdout.slice(0, stdout.indexOf('\n'))) as Size
  const way = readRecordedWay(readFileSync('ARCHITECTURE.md', 'utf8'))
  const imports: number[] = []
  for (let count = 0; count < (quick ? 1 : IMPORTS); count += 1) imports.push(await importRoot())
  const metrics: Metrics = {
    src_lines: { value: countLines(), unit: 'lines', against: 'of code below `src`, neither blank nor comment' },
    files_on_record_path: {
      value: way.files.length,
      unit: 'files',
      goal: 20,
      against: 'from the agent to the disk, as ARCHITECTURE.md draws it',
    },
    shapes_on_record_path: { value: way.shapes.length, unit: 'shapes', goal: 8, against: 'the same' },
    tarball_files: { value: size.tarball_files, unit: 'files', goal: 150 },
    installed_mb: { value: size.installed_mb, unit: 'MB', goal: 3, against: 'in production, on disk' },
    root_import_ms: { value: median(imports), unit: 'ms', goal: 30, against: 'the built root entry, each time in a new process' },
  }
  if (!long) return { metrics, absences: { npm_test_seconds: 'takes minutes: --long' } }
  note('Running npm test.')
  const started = performance.now()
  await run('npm', ['test'], { maxBuffer: 2 ** 28 })
  const seconds = (performance.now() - started) / 1000
  return { metrics: { ...metrics, npm_test_seconds: { value: seconds, unit: 's', goal: 180, against: 'on the wall, once' } } }
}

/** The file that the build writes. */
const written = 'src/trace/row-check.ts'

/** Counts lines of code. Comments have lines of their own here. */
function countLines(): number {
  const files = globSync('src/**/*.{ts,tsx}').filter((file) => file.replaceAll('\\', '/') !== written)
  const code = files.map((file) => readFileSync(file, 'utf8').replaceAll(/^ *\/\*[\s\S]*?\*\/$/gm, ''))
  return code.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '' && !line.trimStart().startsWith('//')).length
}

/** Returns the time of an import, in milliseconds. */
async function importRoot(): Promise<number> {
  const program = "const started = performance.now(); await import('./dist/index.js'); console.log(performance.now() - started)"
  return Number((await run(process.execPath, ['--input-type=module', '--eval', program])).stdout)
}
