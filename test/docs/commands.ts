import type { CodeBlock } from './pages.ts'

/** A command line of a page. */
export interface Command {
  readonly place: string
  readonly line: string
  readonly status: number
  /** What it prints, as the page shows it; empty where it shows nothing. */
  readonly printed: string
}

/** The commands of a block, each with the status that its comment names: `npx goldenrun check   # exits with 1`. */
export function commandsOf({ place, language, text }: CodeBlock, after: CodeBlock | undefined): Command[] {
  if (language !== 'sh') return []
  const lines = text.replaceAll(/\\\n\s*/g, '').split('\n')
  const commands = lines.flatMap((line): Command[] => {
    const [, command = '', comment = ''] = /^(.*?)(?:\s+#(.*)|)$/.exec(line) ?? []
    if (command.trim() === '' || command.startsWith('#')) return []
    return [{ place, line: command, status: Number(/exits with (\d)/.exec(comment)?.[1] ?? 0), printed: '' }]
  })
  const last = commands.pop()
  if (last === undefined) return []
  return [...commands, after?.language === '' ? { ...last, printed: after.text } : last]
}

/** The lines that were not printed, in this order; a line of `…` stands for any. */
export function missingLines(output: string, printed: string): string[] {
  const lines = output.split('\n').map((line) => line.trim())
  let next = 0
  return printed.split('\n').filter((line) => {
    if (line.trim() === '' || line.trim() === '…') return false
    const found = lines.indexOf(line.trim(), next)
    if (found >= 0) next = found + 1
    return found < 0
  })
}
