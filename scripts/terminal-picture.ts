const LINE = 19

const CHARACTER = 7.85

const MARGIN = 16

/** The longest line. Longer ones are cut: they would be too small to read. */
const longest = 132

/** The style of a report's line in a terminal, by its beginning. */
const styles: readonly (readonly [RegExp, string])[] = [
  [/^ FAIL |^Error: /, 'bad'],
  [/^ +expected /, 'bad'],
  [/^ +received /, 'good'],
  [/^ ❯|^ +\d+\||^ +\|/, 'dim'],
  [/^>|^To accept|^ +↳/, 'bold'],
]

/** Draws a command's output as an SVG of a terminal. */
export function drawTerminal(command: string, printed: readonly string[]): string {
  const lines = [`$ ${command}`, '', ...printed].map((line) => (line.length > longest ? `${line.slice(0, longest - 1)}…` : line))
  const width = Math.round(longest * CHARACTER + 2 * MARGIN)
  const height = lines.length * LINE + 2 * MARGIN
  const texts = lines.map((line, index) => drawLine(line, MARGIN + (index + 0.75) * LINE))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>A red report in the terminal</title>
<style>text{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d9dee7;white-space:pre}.bad{fill:#ff8b80}.good{fill:#6fd08c}.dim{fill:#8792a5}.bold{font-weight:700}</style>
<rect width="${width}" height="${height}" rx="8" fill="#0f1217"/>
${texts.join('\n')}
</svg>
`
}

function drawLine(line: string, y: number): string {
  const style = styles.find(([pattern]) => pattern.test(line))?.[1]
  const text = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<text x="${MARGIN}" y="${y}" xml:space="preserve"${style === undefined ? '' : ` class="${style}"`}>${text}</text>`
}
