import { styleText } from 'node:util'
import type { Edit } from '../support-agent/fix.ts'

/** Prints the story: who says what, and what a command said. */
export interface Narrator {
  /** A heading: what the act shows. */
  act(title: string): void
  /** A line of the story. */
  say(line: string): void
  /** A command about to be run; its further lines are aligned under the first. */
  command(lines: readonly string[]): void
  /** A line that a command printed. */
  output(line: string): void
  /** The text of a file of the project. */
  file(path: string, text: string): void
  /** An edit of a file, as a diff of two lines. */
  edit(path: string, edit: Edit): void
  ending(line: string): void
  failure(message: string): void
}

type Format = Parameters<typeof styleText>[0]

/** What stands before a line of a command's output. */
export const GUTTER = '  │ '

/** Creates a narrator that counts its acts from one. */
export function createNarrator(print: (line: string) => void, isColored: boolean): Narrator {
  const paint = (format: Format, text: string): string => (isColored ? styleText(format, text, { validateStream: false }) : text)
  const output = (line: string): void => print(`${paint('dim', GUTTER)}${line}`.trimEnd())
  let acts = 0
  return {
    act(title) {
      acts += 1
      print('')
      print(paint('bold', `${acts}. ${title}`))
    },
    say: (line) => print(`  ${line}`),
    command(lines) {
      print(paint('cyan', lines.map((line, index) => (index === 0 ? `  $ ${line}` : `      ${line}`)).join(' \\\n')))
    },
    output,
    file(path, text) {
      print(`  ${paint('cyan', path)}`)
      for (const line of text.trimEnd().split('\n')) output(line)
    },
    edit(path, { from, to }) {
      print(`  ${paint('cyan', path)}`)
      output(paint('red', `- ${from}`))
      output(paint('green', `+ ${to}`))
    },
    ending(line) {
      print('')
      print(paint('bold', line))
    },
    failure(message) {
      print('')
      print(paint('red', `The demo did not come out as told. ${message}`))
    },
  }
}
