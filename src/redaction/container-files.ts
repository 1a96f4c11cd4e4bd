import { credentialNames, isDrawn } from './credential-fields.ts'
import type { HintedPattern } from './hinted-patterns.ts'
import { gap, lineEnd, lineStart, quote, wordStart } from './written-values.ts'

const bare = '[^\\s"\'`\\\\,;&<>(){}\\[\\]]{4,4000}'

/** Fields of certain programs, whose names say nothing about others: npm, Yarn, Kubernetes, Rails, LDAP, Wi-Fi. */
const field = '(?:_auth|npmAuthIdent|client-key-data|(?:secret_key|SECRET_KEY)_(?:base|BASE)|BINDPW|bindpw|psk)'

/** The words of a wallet: twelve to twenty-four. */
const words = '(?:[a-z]{3,8} ){11,23}[a-z]{3,8}'

/** A part of a name that says that its value is secret, in XML. */
const secretName = '(?:[Pp]assw(?:or)?d|PASSWORD|[Ss]ecret|SECRET|[Pp]assphrase|[Aa]pi-?[Kk]ey|API_KEY)'
const secretTag = ['ssword>', 'sswd>', 'SSWORD>', 'ecret>', 'SECRET>', 'phrase>', 'i-key>', 'i-Key>', 'iKey>', 'ikey>', 'I_KEY>']

/** The tabs between the columns of a line. */
const tab = '(?:\\t|\\\\{1,15}t)'

/** The forms in which files of settings write secrets. */
export const containerFiles: readonly HintedPattern[] = [
  {
    hint: ['_auth', 'AuthIdent', '-key-data', 'KEY_BASE', 'key_base', 'BINDPW', 'bindpw', 'psk=', 'psk:', 'psk"', 'psk ', 'psk\\'],
    pattern: `${wordStart}${field}(?:${quote})?(?:${gap}[=:]${gap}|[ \\t]{1,20})(?:${quote})?(?<secret>${bare})`,
  },
  {
    hint: ['nemonic', 'NEMONIC', 'phrase', 'PHRASE'],
    pattern: `(?:mnemonic|MNEMONIC|(?:seed|SEED|recovery|RECOVERY)[_ -]?(?:phrase|PHRASE))(?:${quote})?${gap}[=:]${gap}(?:${quote})?(?<secret>${words})`,
  },
  {
    // PuTTY.
    hint: ['Private-Lines'],
    pattern: `Private-Lines: ?\\d{1,3}${gap}(?<secret>(?:[A-Za-z0-9+/=]{1,80}(?:\\s|\\\\+[nr]){0,4}){1,200}?)(?=${gap}Private-MAC|$)`,
  },
  {
    // PostgreSQL's .pgpass: host, port, database, user, password. Its usual ports, and those of poolers and of CockroachDB.
    hint: [':5432:', ':5433:', ':6432:', ':6543:', ':26257:', ':*:*'],
    pattern: `(?:^|[\\s=,"'\`]|\\\\[nr])[\\w.*-]{1,200}:(?:\\d{2,5}|\\*):[^:\\s\\\\]{1,63}:[^:\\s\\\\]{1,63}:(?<secret>[^\\s\\\\"']{4,200})${lineEnd}`,
    isSecret: isDrawn,
  },
  {
    // PHP.
    hint: ['define('],
    pattern: `define\\(${gap}${quote}\\w{0,40}(?:PASSWORD|KEY|SALT|SECRET|TOKEN)${quote}${gap},${gap}(?<quote>${quote})(?<secret>(?:(?!\\k<quote>).){4,400})`,
    isSecret: isDrawn,
  },
  {
    hint: secretTag,
    pattern: `<(?:\\w{1,20}:)?\\w{0,30}${secretName}(?: [^<>]{0,200})?>(?<secret>[^<>\\s]{4,400})</`,
  },
  {
    hint: ['ssword</key', 'ecret</key', 'phrase</key', 'Key</key'],
    pattern: `<key>\\w{0,30}${secretName}</key>${gap}<string>(?<secret>[^<>]{4,400})</string>`,
  },
  {
    hint: ['ssword"', "ssword'", 'ssword\\', 'csrf', 'CSRF', 'xsrf', 'XSRF', 'ecret" v', 'piKey" v', 'pi-key" v'],
    pattern: `(?:name|key|id)=${quote}[\\w.-]{0,40}(?:${secretName}|[Cc][Ss][Rr][Ff]|[Xx][Ss][Rr][Ff])[\\w.-]{0,20}${quote}[^<>]{0,200}?value=(?<quote>${quote})(?<secret>(?:(?!\\k<quote>).){4,400})`,
  },
  {
    hint: ['pass=', 'pass =', 'passwd=', 'passwd ='],
    pattern: `${lineStart}pass(?:wd)?[ \\t]*=[ \\t]*(?<secret>${bare})${lineEnd}`,
    isSecret: isDrawn,
  },
  {
    // Further down than one level of JSON. The rule `settings-file` finds the others.
    hint: /\\\\[nr]/,
    pattern: new RegExp(`\\\\\\\\[nr][ \\t]{0,40}[\\w.-]{0,60}?(?:${credentialNames})[ \\t]*[=:][ \\t]+(?<secret>${bare})${lineEnd}`, 'gi'),
    isSecret: isDrawn,
  },
  { hint: ['ookie: '], pattern: '(?<=\\\\[nrt])(?:[Ss]et-)?[Cc]ookie: [^=;\\s]{1,200}=(?<secret>[^;,\\s"\'\\\\]{4,4000})' },
  { hint: ['WIFI:'], pattern: 'WIFI:[^\\n]{0,200}?;P:(?<secret>[^;\\n"]{4,100});' },
  // The address of a database, as Go's driver for MySQL and Oracle write it.
  { hint: ['@tcp(', '@unix('], pattern: '(?<=[\\w.-]:)(?<secret>[^\\s:@/"\'\\\\]{1,100})(?=@(?:tcp|unix)\\()' },
  { hint: ['jdbc:oracle'], pattern: 'jdbc:oracle:\\w{2,6}:[\\w$#]{1,60}/(?<secret>[^\\s@"\'\\\\]{1,100})(?=@)' },
  {
    // A token in the place of a user.
    hint: /@(?<=\/[\w-]{20,255}@)/,
    pattern: '(?<=:(?:\\\\?/){2})(?<secret>[A-Za-z0-9_-]{20,255})(?=@[\\w[])',
    isSecret: isDrawn,
  },
  {
    // A line of cookies.txt: host, whether with hosts below, path, whether secure, until when, name, value.
    hint: ['TRUE\t', 'FALSE\t', 'TRUE\\', 'FALSE\\'],
    pattern: `${tab}(?:TRUE|FALSE)${tab}\\d{1,12}${tab}[^\\s\\\\]{1,100}${tab}(?<secret>[^\\s\\\\"]{4,4000})`,
  },
  { hint: ['Digest '], pattern: `Digest [^\\n]{0,600}?response=${quote}(?<secret>[0-9a-f]{32,128})` },
]
