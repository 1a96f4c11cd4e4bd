import type { Rule } from './rule.ts'

/** A quoted mailbox (RFC 5321), in a text, in JSON and in nested JSON. */
const quoted =
  /(?<quote>\\{0,15}")(?<mailbox>[^"\\\r\n]{1,64})\k<quote>(?:@|\\+u0040)(?<host>(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,5}[A-Za-z]{2,24})(?![\w-])/g

const inDocuments = /(?:^|\.)example\.(?:com|org|net)$/i

/** Finds addresses whose name is in quotes, because it has spaces or signs: `"ann lee"@firm.de`. */
export const quotedEmails: Rule = {
  name: 'quoted-email',
  hint: /"(?:@|\\+u0040)/,
  *find(text) {
    for (const { index, groups, 0: found } of text.matchAll(quoted)) {
      const { quote = '', mailbox = '', host = '' } = groups ?? {}
      if (inDocuments.test(host)) continue
      const start = index + quote.length
      yield { start, end: start + mailbox.length, shape: 'word', identity: `${mailbox}@${host}`.toLowerCase() }
      const end = index + found.length
      yield { start: end - host.length, end, shape: 'word', identity: host.toLowerCase() }
    }
  },
}
