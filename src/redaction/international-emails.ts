import type { Rule } from './rule.ts'
import { WrittenCharacters } from './written-characters.ts'

/**
 * A letter beyond ASCII, including as its bytes and as a JSON escape. The alternatives never match the same character: a repetition would try all of
 * them otherwise.
 */
const letter = String.raw`(?:(?![\0-\x7f])[\p{L}\p{M}\p{N}]|[\u00d7\u00f7](?=[\u0080-\u00bf])|(?<=[\u00c2-\u00f4][\u0080-\u00bf]{0,2})(?![\p{L}\p{N}])[\u0080-\u00bf]|\\u[\da-fA-F]{4})`

const mailbox = new RegExp(`(?:${letter}|[\\w.+%-]){1,64}$`, 'u')
const host = new RegExp(`^(?:(?:${letter}|[A-Za-z0-9-]){1,63}\\.){1,5}(?:xn--[a-z0-9-]{2,59}|(?:${letter}|[A-Za-z]){2,63})`, 'u')
const beyond = /[^\0-\x7f]|\\u(?!0040)[\da-fA-F]{4}|xn--/

/** Returns an address as a person reads it: the same in text, in JSON and as bytes. */
function readable(written: string): string {
  const characters = new WrittenCharacters(written)
  let text = ''
  while (characters.next()) text += String.fromCodePoint(characters.code)
  return text
}

const atSign = /@|\\u0040/g

/** Addresses with letters beyond ASCII, or at a punycode host (`xn--`). The rule `email` finds the others. */
export const internationalEmails: Rule = {
  name: 'international-email',
  hint: /@(?=[^\s@]{0,80}(?:[^\0-\x7f]|\\u|xn--))|@(?<=(?:[^\0-\x7f]|\\u....)[^\s@]{0,63}@)|4(?<=u004)0/,
  *find(text) {
    for (const { index, 0: at } of text.matchAll(atSign)) {
      const end = index + at.length
      const [name = ''] = mailbox.exec(text.slice(Math.max(0, index - 128), index)) ?? []
      const [domain = ''] = host.exec(text.slice(end, end + 400)) ?? []
      const own = name.replace(/^[.%+-]+/, '')
      if (own === '' || domain === '' || !beyond.test(own + domain)) continue
      yield { start: index - own.length, end: end + domain.length, shape: 'email', identity: readable(`${own}@${domain}`).toLowerCase() }
    }
  },
}
