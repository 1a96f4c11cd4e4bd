import { printable, printableLines } from '../../../trace/printable.ts'

/** A code block whose fence is longer than any run of backticks in it, so that recorded text cannot end it. */
export function codeBlock(code: string, language: string): string {
  const lines = printableLines(code)
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1))
  return `${fence}${language}\n${lines}\n${fence}`
}

/** Code within a line. */
export function inlineCode(code: string): string {
  const line = printable(code.replaceAll(/\s+/g, ' '))
  const fence = '`'.repeat(longestRun(line) + 1)
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${space}${line}${space}${fence}`
}

/** A collapsed section. */
export function details(summary: string, body: string): string {
  return `<details><summary>${escapeMarkdown(summary)}</summary>\n\n${body}\n\n</details>`
}

/** Escapes text so that recorded text never becomes markup, HTML, a mention or an issue link. */
export function escapeMarkdown(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' '))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_[\]|~]/g, String.raw`\$&`)
    .replaceAll(/[@#](?=\w)/g, '$&<!-- -->')
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
}
