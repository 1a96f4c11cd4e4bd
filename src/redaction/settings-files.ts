import { credentialEndingBefore, credentialNames, findCredentials, isDrawn } from './credential-fields.ts'
import type { Rule } from './rule.ts'

const lineStart = '(?:^|\\n|\\\\n)[ \\t]{0,40}'
const lineEnd = '(?=[ \\t]*(?:$|[\\r\\n;#]|\\\\[rn]))'

/** `db.password = …`, on a line of its own, in INI files, properties and YAML. */
const setting = new RegExp(
  `${lineStart}(?:export[ \\t]+)?[\\w.-]{0,60}?(?:${credentialNames})[ \\t]*[=:][ \\t]+(?<secret>[^\\s"'\`\\\\;,<>(){}\\[\\]]{4,1000})${lineEnd}`,
  'gi',
)

/** `{ password: '…' }`, in source text. */
const property = new RegExp(
  `(?:${credentialNames})[ \\t]*:[ \\t]*(?<quote>\\\\*["'\`])(?<secret>(?:(?!\\k<quote>)[^\\n]){4,1000})(?=\\k<quote>)`,
  'gi',
)

/** `login … password …`, in a .netrc. */
const netrc = /\blogin\s+\S{1,200}\s+password\s+(?<secret>[^\s"'\\]{4,1000})/g

/** Finds credentials as written in settings files. */
export const settingsFiles: Rule = {
  name: 'settings-file',
  hint: credentialEndingBefore('[ \\t:]'),
  *find(text) {
    // Without digits it may be prose or code.
    yield* findCredentials(text, setting, isDrawn)
    yield* findCredentials(text, property)
    yield* findCredentials(text, netrc)
  },
}
