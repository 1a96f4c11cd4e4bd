import { printableLines } from '../trace/printable.ts'

/** Warns like Node: programs can listen for it, and `--no-warnings` silences it. */
export function warn(text: string, type = 'Warning'): void {
  process.emitWarning(printableLines(text), type)
}

/** Writes a line to standard error. */
export function say(line: string): void {
  process.stderr.write(`${printableLines(line)}\n`)
}
