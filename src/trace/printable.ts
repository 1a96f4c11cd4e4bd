/**
 * Makes text safe to print in one line: a recording may contain text that controls a terminal or a CI service, or is displayed differently from what
 * it says. Escapes control characters, line breaks, bidirectional and invisible marks, and what a runner of GitHub, Azure or TeamCity takes for a
 * command (`::error::`, `##[group]`). The escapes are those of JSON (`\u001b`), so that JSON stays valid.
 */
export function printable(text: string): string {
  return hostile.test(text) ? text.replaceAll(unseen, escape).replace(command, escape).replaceAll(commandAnywhere, escape) : text
}

/** Like `printable`, for multi-line text: its line breaks stay. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

/** Like `printable`, for text that goldenrun or a test runner has coloured: its line breaks and colours stay; other terminal controls do not. */
export function printableStyled(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      line
        .split(style)
        .map((part, index) => (index % 2 === 0 ? printable(part) : part))
        .join(''),
    )
    .join('\n')
}

/**
 * Control characters; line breaks; annotations between lines; whatever Unicode says is not shown, which has the marks of the writing direction. The
 * joiners and the variation selectors that scripts and emoji need stay.
 */
const unseen = /[\p{Cc}\u2028\u2029\uFFF9-\uFFFB]|(?!\u200C|\u200D|[\u{FE00}-\u{FE0F}])\p{Default_Ignorable_Code_Point}/gu

/** A GitHub Actions command, at the start of a line. */
const command = /(?<=^\s*):(?=:)/

/** Commands of older runners and of other services, which are recognised anywhere in a line. */
const commandAnywhere = /#(?=#(?:\[|vso\[|teamcity\[))/g

const hostile = new RegExp(`${unseen.source}|^\\s*::|##(?:\\[|vso\\[|teamcity\\[)`, 'u')

/** Text styles, and foreground and background colours. Blinking and hidden text are not ours. */
// oxlint-disable-next-line no-control-regex -- colours are control sequences
const style = /(\u001B\[(?:0|1|2|3|4|7|22|23|24|27|3[0-79]|4[0-79]|9[0-7]|10[0-7])m)/

function escape(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')
}
