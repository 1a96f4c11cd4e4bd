import { expect, it } from 'vitest'
import { codeBlock, escapeMarkdown, inlineCode } from '../../src/divergence/report/markdown/syntax.ts'
import { findingsToMarkdown } from '../../src/divergence/report/print-groups.ts'

it.each([
  ['a mention', '@octocat and @org/team', '@<!-- -->octocat and @<!-- -->org/team'],
  ['links to issues', 'In #1, octo/repo#2, GH-3', 'In #<!-- -->1, octo/repo#<!-- -->2, GH-<!-- -->3'],
  ['a link to a commit', '0123456789abcdef', '012345<!-- -->6789ab<!-- -->cdef'],
  ['a link', '[a](https://evil.example)', String.raw`\[a\](https:<!-- -->//evil.example)`],
  ['an image', '![a](b.png)', String.raw`!\[a\](b.png)`],
  ['addresses', 'http://a.example www.a.example WWW.b.example', 'http:<!-- -->//a.example www<!-- -->.a.example WWW<!-- -->.b.example'],
  ['an e-mail address', 'a@b.example', 'a@<!-- -->b.example'],
  ['HTML', '<b onclick="x">&lt;</b>', '&lt;b onclick="x"&gt;&amp;lt;&lt;/b&gt;'],
  ['the end of a comment', 'a --> b', 'a --&gt; b'],
  ['an emoji, which is an image', ':octocat:', ':<!-- -->octocat:'],
  ['a formula', '$x$', '<span>$</span>x<span>$</span>'],
  ['a heading', '# a', String.raw`\# a`],
  ['a list', '- a', String.raw`\- a`],
  ['a numbered list', '12. a', String.raw`12\. a`],
  ['a rule', '---', String.raw`\---`],
  ['emphasis, code and a table', '*a* `b` | c ~d~', String.raw`\*a\* \`b\` \| c \~d\~`],
  ['line breaks', 'a\n\n# b', 'a # b'],
])('escapes %s in Markdown', (_, text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped)
})

it('leaves plain sentences as they are', () => {
  const sentence = 'Failed to replay "cancel-unshipped": step 1 diverged (input: system prompt).'
  expect(escapeMarkdown(sentence)).toBe(sentence)
})

it('cuts a text that nobody reads, and no code in the middle of a fence', () => {
  expect(escapeMarkdown('y'.repeat(100_000))).toHaveLength(2000)
  expect(inlineCode('`'.repeat(100_000)).length).toBeLessThan(7000)
  expect(inlineCode('')).toBe('')
  expect(codeBlock('a\n```\n````b', 'text')).toBe('`````text\na\n```\n````b\n`````')
})

it('reduces a finding that does not fit in a comment to its headline', () => {
  const long = `### First\n\n${codeBlock('y'.repeat(70_000), 'text')}`
  expect(
    findingsToMarkdown([
      { markdown: long, alsoIn: [] },
      { markdown: '### Second', alsoIn: ['b'] },
    ]),
  ).toBe('### First\n\nThe rest of this finding does not fit in one comment.\n\n---\n\n### Second\n\nThe same in 1 more: `b`')
})
