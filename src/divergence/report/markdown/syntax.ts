import { printable, printableLines } from '../../../trace/printable.ts'
import { cutText } from '../../print-value.ts'

/** A longer text of a recording is cut: it is quoted, not read, and has to fit in a comment with the rest. */
const longestText = 2000

/** A code block whose fence is longer than any run of backticks in it, so that recorded text cannot end it. */
export function codeBlock(code: string, language: string): string {
  const lines = printableLines(code)
  const fence = '`'.repeat(Math.max(3, longestRun(lines) + 1))
  return `${fence}${language}\n${lines}\n${fence}`
}

/** Code within a line. */
export function inlineCode(code: string): string {
  const line = cutText(printable(code.replaceAll(/\s+/g, ' ')), longestText)
  if (line === '') return ''
  const fence = '`'.repeat(longestRun(line) + 1)
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${space}${line}${space}${fence}`
}

/** A collapsed section. */
export function details(summary: string, body: string): string {
  return `<details><summary>${escapeMarkdown(summary)}</summary>\n\n${body}\n\n</details>`
}

/**
 * Escapes text so that recorded text stays text: it becomes no markup, HTML, link or image, and nothing that GitHub makes of text afterwards (a
 * mention, a link to an issue, a commit or an address, an emoji, a formula).
 */
export function escapeMarkdown(text: string): string {
  return cutText(printable(text.replaceAll(/\s+/g, ' ').trim()), longestText)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_[\]|~]/g, String.raw`\$&`)
    .replace(/^(?:[-+=#]|\d+(?=[.)]))/, escapeStart)
    .replaceAll('$', '<span>$$</span>')
    .replaceAll(linking, '$&<!-- -->')
}

/** What would begin a list, a heading or a rule at the start of a line. */
function escapeStart(start: string): string {
  return /^\d/.test(start) ? `${start}\\` : `\\${start}`
}

/**
 * The parts of a text after which a comment, which shows nothing, keeps GitHub from making more of it: `@user`, `#1`, `https://`, `:emoji:`, `www.`,
 * `GH-1`, and digits of a commit.
 */
const linking = /[@#:](?=\S)|www(?=\.)|GH-(?=\d)|[\da-f]{6}(?=[\da-f])/gi

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
}
