/**
 * Text that is safe to print in one line: what a recording holds may have been written to drive a terminal or a CI service, or to read otherwise
 * than it is. Escaped are control characters, line breaks, marks that change the direction of writing or are not seen, and what a runner of
 * GitHub, Azure or TeamCity takes for a command (`::error::`, `##[group]`). Escapes are those of JSON (`\u001b`), so that JSON stays what it is.
 */
export function printable(text: string): string {
  return hostile.test(text) ? text.replaceAll(unseen, escape).replace(command, escape).replaceAll(commandAnywhere, escape) : text
}

/** The same of a text of many lines: its line breaks stay. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

/** The same of a text that goldenrun or a test runner has coloured: its line breaks and colours stay, and nothing else that drives a terminal. */
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

/** Control characters; what breaks a line; what turns the direction of writing; what is not seen, but for the joiners that scripts and emoji need. */
const unseen = /[\p{Cc}\u2028\u2029\p{Bidi_C}\u200B\u2060-\u2064\uFEFF\u{E0000}-\u{E007F}]/gu

/** A command of GitHub Actions, which begins a line. */
const command = /(?<=^\s*):(?=:)/

/** Commands of older runners and of other services, which are taken wherever they stand. */
const commandAnywhere = /#(?=#(?:\[|vso\[|teamcity\[))/g

const hostile = new RegExp(`${unseen.source}|^\\s*::|##(?:\\[|vso\\[|teamcity\\[)`, 'u')

/** Weight, and the colours of the foreground and the background. What blinks, turns or hides a text is none of ours. */
// oxlint-disable-next-line no-control-regex -- colours are control sequences
const style = /(\u001B\[(?:0|1|2|3|4|7|22|23|24|27|3[0-79]|4[0-79]|9[0-7]|10[0-7])m)/

function escape(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')
}
