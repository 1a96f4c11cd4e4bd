/**
 * Checks that the content of a recording is printed only by code that escapes it (`src/trace/printable.ts`): no other file of `src` writes to
 * standard output or standard error, warns, or prints through a test runner.
 */
import { globSync, readFileSync } from 'node:fs'

/** The files that print, each with a text that it has to contain: the escaping function, or the reason why nothing needs escaping. */
const printers: Readonly<Record<string, string>> = {
  'src/cli/command.ts': "process.stdout.write('', () =>",
  'src/cli/inspect/inspect-process.ts': "process.stdout.write('', () =>",
  'src/travel/inspect/inspect-apart.ts': 'process.stderr.write(text)',
  'src/cli/past-code/process.ts': "process.stdout.write('', () =>",
  // Passes on what the programs that it runs print themselves.
  'src/cli/past-code/worktree.ts': 'process.stderr.write(text)',
  'src/cli/terminal.ts': 'safe(text)',
  // Its thread writes what the golden's own thread has escaped.
  'src/jest/watch-golden.ts': 'printable(describeStuck(',
  'src/node/debug-log.ts': 'printable(line())',
  'src/run/tell.ts': 'printableLines(text)',
  'src/node/load-sqlite.ts': 'process.emitWarning = emit',
  // These print what `src/goldens/results/report-goldens.ts` passes to them, which escapes it.
  'src/jest/golden-reporter.ts': 'print: (text) =>',
  'src/vitest/golden-reporter.ts': 'print: (text) =>',
}

const printing =
  /\bconsole\s*\.|\b(?:stdout|stderr)\s*\.\s*write\b|\bterminal\.write\(|\bemitWarning\b|\blogger\s*\.\s*\w+\(|\bwriteSync\(\s*[12]\b|\b_rawDebug\b/

const findings = globSync('src/**/*.{ts,tsx}').flatMap((path) => {
  const file = path.replaceAll('\\', '/')
  const lines = readFileSync(path, 'utf8').split('\n')
  const escape = printers[file]
  if (escape !== undefined) return lines.some((line) => line.includes(escape)) ? [] : [`${file}:1: prints, and no longer has: ${escape}`]
  return lines.flatMap((line, index) =>
    printing.test(line) && !/^\s*(?:\*|\/\/|\/\*)/.test(line)
      ? [
          `${file}:${index + 1}: prints directly. Use warn or say from src/run/tell.ts, or the command's Terminal: they escape text that is not ours.`,
        ]
      : [],
  )
})
for (const finding of findings) console.error(finding)
process.exitCode = findings.length > 0 ? 1 : 0
