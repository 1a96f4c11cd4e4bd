import { expect, it } from 'vitest'
import { GoldenrunError } from '../../src/trace/errors/goldenrun-error.ts'
import { printable, printableLines, printableStyled } from '../../src/trace/printable.ts'

it.each([
  ['an escape', '\u001b[2J', String.raw`\u001b[2J`],
  ['a bell', 'a\u0007', String.raw`a\u0007`],
  ['the one-character form of an escape sequence', '\u009b31m', String.raw`\u009b31m`],
  ['a link of a terminal', '\u001b]8;;https://evil.example\u0007', String.raw`\u001b]8;;https://evil.example\u0007`],
  ['line breaks', 'a\r\nb\u2028c\u2029d', String.raw`a\u000d\u000ab\u2028c\u2029d`],
  ['an override of the direction', 'a\u202egpj.exe', String.raw`a\u202egpj.exe`],
  ['an isolate', '\u2066a\u2069', String.raw`\u2066a\u2069`],
  ['marks of the direction', '\u200e\u200f\u061c', String.raw`\u200e\u200f\u061c`],
  ['what has no width', 'pay\u200bpal\ufeff', String.raw`pay\u200bpal\ufeff`],
  ['what takes a width and shows nothing', 'a\u3164b\u115fc\uffa0', String.raw`a\u3164b\u115fc\uffa0`],
  ['a hyphen that shows only at the end of a line', 'pay\u00adpal', String.raw`pay\u00adpal`],
  ['annotations between lines', 'a\ufff9b\ufffac\ufffb', String.raw`a\ufff9b\ufffac\ufffb`],
  ['selectors that carry hidden bytes', 'a\u{E0101}', String.raw`a\udb40\udd01`],
  ['tags, which only a model reads', 'a\u{E0041}', String.raw`a\udb40\udc41`],
  ['a command of GitHub Actions', '::error::x', String.raw`\u003a:error::x`],
  ['a command of GitHub Actions behind spaces', '  ::set-output name=a::b', String.raw`  \u003a:set-output name=a::b`],
  ['a command of an older runner', 'a ##[error]x', String.raw`a \u0023#[error]x`],
  ['a command of Azure', 'a ##vso[task.setvariable]x', String.raw`a \u0023#vso[task.setvariable]x`],
])('escapes %s', (_, text, escaped) => {
  expect(printable(text)).toBe(escaped)
  expect(printableLines(`one\n${text}`).split('\n')[0]).toBe('one')
})

it.each(['plain', 'Grüße, 世界, عربى, שלום', '👩‍💻 ✓ → …', '❤️', 'می‌خواهم', 'std::error::Error', 'a # b ## c', '"quoted" \\ back'])(
  'leaves %s',
  (text) => {
    for (const print of [printable, printableLines, printableStyled]) expect(print(text)).toBe(text)
  },
)

it('leaves colours of ours, and nothing else that a terminal obeys', () => {
  expect(printableStyled('\u001b[1m\u001b[31mred\u001b[39m\u001b[22m\n\u001b[8mhidden\u001b[2J\u001b[3;4H')).toBe(
    `\u001b[1m\u001b[31mred\u001b[39m\u001b[22m\n${String.raw`\u001b[8mhidden\u001b[2J\u001b[3;4H`}`,
  )
})

it('keeps JSON what it is', () => {
  const value = { '\u009b2J\u202e\u{E0041}': '::error::\u007f ##[group]', list: ['\u2028'] }
  const text = printableLines(JSON.stringify(value, undefined, 2))
  expect(text).toMatch(/^[\n -~]*$/)
  expect(text).not.toContain('##[')
  expect(JSON.parse(text)).toEqual(value)
})

it('escapes what errors quote, line by line', () => {
  expect(new GoldenrunError('GOLDENRUN_X', 'Cannot find "a\u001b[2J\n::error::b".\nDo this.').message).toBe(
    ['Cannot find "a\\u001b[2J', '\\u003a:error::b".', 'Do this.'].join('\n'),
  )
})

it('escapes the fields of errors, which Vitest prints below their messages', () => {
  const error = Object.assign(new GoldenrunError('GOLDENRUN_X', 'Cannot.'), { wanted: 'a\n::error::b', nearest: ['\u202ec'], line: 3 })
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    code: 'GOLDENRUN_X',
    name: 'GoldenrunError',
    line: 3,
    wanted: String.raw`a\u000a::error::b`,
    nearest: [String.raw`\u202ec`],
  })
})
