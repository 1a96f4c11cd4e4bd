import { createInterface } from 'node:readline/promises'
import { isatty, type WriteStream } from 'node:tty'
import picocolors from 'picocolors'
import { printable, printableLines, printableStyled } from '../trace/printable.ts'
import { spawn } from 'node:child_process'

/** A command's input and output. */
export interface Terminal {
  readonly colors: ReturnType<typeof picocolors.createColors>
  /** Characters per line. */
  readonly width: number
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean
  /** Whether the user can be prompted. */
  readonly isInteractive: boolean
  /** Writes lines to standard output. */
  print(text: string): void
  /** Writes lines to standard output, through the user's pager if the output is a terminal and longer than the screen. */
  page(text: string): Promise<void>
  /** Writes one object to standard output. Values that are not JSON have to be converted with `toRecorded` first. */
  printJson(value: object): void
  /** Writes lines to standard error. */
  printError(text: string): void
  /** Shows a status line on standard error that replaces the last one; an empty text clears it. Does nothing without a terminal. */
  status(text: string): void
  /**
   * Redirects other code's writes to standard output to standard error, so that they do not mix with the command's output. Returns a function that
   * ends this.
   */
  divert(): () => void
  /** Asks a yes/no question. Every answer except yes means no, including the end of input. */
  confirm(question: string): Promise<boolean>
}

/** The width of output that goes to a file or another program. */
const PIPED_WIDTH = 120

/** The terminal of this process. Piped output has no colours, regardless of the environment. */
export function createTerminal({ stdin, stdout, stderr }: NodeJS.Process = process): Terminal {
  const isTerminal = isatty(stdout.fd)
  const isWatched = isatty(stderr.fd)
  // The reader of a pipe (`| head`) may close it early.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const safe = isTerminal ? printableStyled : printableLines
  return {
    colors: picocolors.createColors(isTerminal && picocolors.isColorSupported),
    width: isTerminal ? Math.max(40, stdout.columns) : PIPED_WIDTH,
    isTerminal,
    isInteractive: isTerminal && isatty(stdin.fd),
    print: (text) => void stdout.write(`${safe(text)}\n`),
    page: (text) => (isTerminal ? page(safe(text), stdout) : Promise.resolve(void stdout.write(`${safe(text)}\n`))),
    printJson: (value) => void stdout.write(`${printableLines(JSON.stringify(value, undefined, 2))}\n`),
    printError: (text) => void stderr.write(`${printableLines(text)}\n`),
    status: (text) => void (isWatched && stderr.write(`\r\u001B[K${printable(text)}`)),
    divert() {
      const { write } = stdout
      stdout.write = stderr.write.bind(stderr)
      return () => void (stdout.write = write)
    },
    confirm: (question) => confirm(question, stdin, stdout),
  }
}

/** Runs work whose standard output goes to standard error. */
export async function diverted<Result>({ divert }: Pick<Terminal, 'divert'>, body: () => Promise<Result>): Promise<Result> {
  const restore = divert()
  try {
    return await body()
  } finally {
    restore()
  }
}

/** Asks on a pair of streams; see `Terminal.confirm`. */
export async function confirm(question: string, input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<boolean> {
  const lines = createInterface({ input, output })
  const closed = new Promise<string>((resolve) => void lines.once('close', () => resolve('')))
  // Ctrl-C and Ctrl-D close the interface; the question itself then never settles.
  const answer = await Promise.race([lines.question(`${printable(question)} [y/N] `).catch(() => ''), closed])
  lines.close()
  return /^y(es)?$/i.test(answer.trim())
}

/**
 * Writes a text to a terminal. Text with more lines than the terminal goes through the pager in `PAGER`, or `less`. If that cannot be run, the text
 * is written directly.
 */
async function page(text: string, terminal: Pick<WriteStream, 'rows' | 'write'>): Promise<void> {
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
