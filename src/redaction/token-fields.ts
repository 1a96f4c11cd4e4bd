import { isPlaceholder } from './placeholder.ts'
import type { Rule } from './rule.ts'

/** The ends of names of secrets: `datadogToken`, `WEBHOOK_SIGNING_SECRET`, `app-key`, `AccountKey`. */
const ending =
  '(?:[Tt]oken|TOKEN|[Ss]ecret|SECRET|[Cc]redentials?|CREDENTIALS?|(?:[Aa]pi|API|[Aa]pp(?:lication)?|APP|[Aa]ccess|ACCESS|[Aa]ccount|ACCOUNT|[Aa]dmin|ADMIN|[Ee]ncryption|ENCRYPTION|[Ll]icen[sc]e|LICENSE|[Mm]aster|MASTER|[Ss]hared|SHARED|[Ss]ervice|SERVICE|[Ss]igning|SIGNING|[Ss]ubscription|SUBSCRIPTION|[Ww]ebhook|WEBHOOK)[_-]?(?:[Kk]ey|KEY))'

/** Names of fields that say where a list continues, or which lock is held. */
const harmless =
  /(?:next|prev(?:ious)?|page|paging|pagination|continuation|continue|cursor|sync|resume|delta|scroll|start|marker|list|fencing|lock|lease|idempotency|design|cancel(?:l?ation)?|concurrency)[_-]?(?:\w{1,12}[_-]?)?token$/i

/** The text between a name and its value, in JSON, YAML, environments, code and XML. */
const sign = `\\\\*["'\`]?(?: string)?\\s{0,3}(?:=>|[:?.]{0,3}=|[:,>])[\\s\\\\"'\`]{0,6}`

/** Without spaces, and of the length of keys. */
const value = '[A-Za-z0-9_.~+/=:%|-]{12,600}(?=[\\s"\'`;,&<)}\\]\\\\]|$)'

const assigned = new RegExp(`(?<name>${ending})${sign}(?<secret>${value})`, 'g')
const fieldName = new RegExp(`${ending}$`)
const whole = new RegExp(`^${value}$`)

/** Returns whether a text is not a word, number or path: letters and digits are mixed. */
const isDrawn = (text: string): boolean =>
  /\d/.test(text) && (/[A-Za-z]/.test(text) || /^[\d-]{15,}$/.test(text)) && !/^\/[a-z]+(?:\/|$)|:\/\//.test(text)

/** Finds random-looking values in fields whose name says that they are secret, of any service. */
export const tokenFields: Rule = {
  name: 'token-field',
  hint: /(?:[kK](?:ey|EY|(?<=[Tt]ok)en|(?<=TOK)EN)|c(?<=[Ss]ec)ret|C(?<=SEC)RET|d(?<=[Cc]red)entials?|D(?<=CRED)ENTIALS?)\\*["'`]?(?: string)?\s{0,3}[=:,>?.]/,
  isField: isTokenField,
  *find(text, field) {
    if (field !== undefined && isTokenField(field) && whole.test(text) && isSecret(text))
      yield { start: 0, end: text.length, shape: 'word' }
    for (const { index, groups, 0: found } of text.matchAll(assigned)) {
      const { name = '', secret = '' } = groups ?? {}
      const start = index + found.length - secret.length
      // Read backwards: a pattern would check every place in the text.
      const [before = ''] = /[\w.-]*$/.exec(text.slice(Math.max(0, index - 60), index)) ?? []
      if (isTokenField(before + name) && isSecret(secret)) yield { start, end: start + secret.length, shape: 'word' }
    }
  },
}

/** Returns whether the values of fields with this name are secret if they look random. */
export function isTokenField(name: string): boolean {
  return fieldName.test(name) && !harmless.test(name)
}

function isSecret(text: string): boolean {
  return isDrawn(text) && !isPlaceholder(text)
}
