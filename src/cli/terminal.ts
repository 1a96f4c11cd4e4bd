import { createInterface } from 'node:readline/promises'
import { isatty } from 'node:tty'
import picocolors from 'picocolors'
import { page } from './pager.ts'
import { printable, printableLines, printableStyled } from '../trace/printable.ts'

/** What a command writes to, and asks. */
export interface Terminal {
  readonly colors: ReturnType<typeof picocolors.createColors>
  /** How many characters stand in a line. */
  readonly width: number
  /** Whether there is a person who can be asked. */
  readonly isInteractive: boolean
  /** Writes lines to standard output. */
  print(text: string): void
  /** Writes lines to standard output, through the pager that the environment names where a person watches and they are more than a screenful. */
  page(text: string): Promise<void>
  /** Writes one object to standard output. What JSON has no word for has to be recorded (`toRecorded`) before. */
  printJson(value: object): void
  /** Writes lines to standard error. */
  printError(text: string): void
  /** Puts a line on standard error that the next one takes the place of; an empty one takes it away. Nothing where nobody watches. */
  status(text: string): void
  /** Has what others write to standard output go to standard error, so that it is no part of what the command prints. Gives what ends that. */
  divert(): () => void
  /** Asks a question that is answered by yes or no; anything but yes is no, the end of input included. */
  confirm(question: string): Promise<boolean>
}

/** The width of output that goes to a file or another program. */
const PIPED_WIDTH = 120

/** The terminal of this process. Output that is piped has no colours, whatever the environment says. */
export function createTerminal({ stdin, stdout, stderr }: NodeJS.Process = process): Terminal {
  const isTerminal = isatty(stdout.fd)
  const isWatched = isatty(stderr.fd)
  // The reader of a pipe (`| head`) may go before everything is written.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const safe = isTerminal ? printableStyled : printableLines
  return {
    colors: picocolors.createColors(isTerminal && picocolors.isColorSupported),
    width: isTerminal ? Math.max(40, stdout.columns) : PIPED_WIDTH,
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

/** Asks on a pair of streams; see `Terminal.confirm`. */
export async function confirm(question: string, input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<boolean> {
  const lines = createInterface({ input, output })
  const closed = new Promise<string>((resolve) => void lines.once('close', () => resolve('')))
  // Ctrl-C and Ctrl-D close the interface, and the question itself never settles then.
  const answer = await Promise.race([lines.question(`${printable(question)} [y/N] `).catch(() => ''), closed])
  lines.close()
  return /^y(es)?$/i.test(answer.trim())
}
