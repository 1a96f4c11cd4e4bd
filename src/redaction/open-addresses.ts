import { findPattern, type Rule } from './rule.ts'

/** A slash, as text, in JSON and in a form. */
const slash = '(?:\\\\?/|%2F)'
const part = '[^\\s/?&#"\'<>\\\\]'

/** Addresses to which everyone who knows them may send. The part after the host is secret; the host names the owner. */
const webhooks: readonly RegExp[] = [
  `hooks\\.slack\\.com${slash}(?:services|workflows|triggers)${slash}(?<secret>[\\w+/\\\\-]{20,100})`,
  `discord(?:app)?\\.com${slash}api${slash}(?:v\\d\\d?${slash})?webhooks${slash}\\d{10,20}${slash}(?<secret>${part}{30,100})`,
  `webhook\\.office\\.com${slash}webhookb2${slash}(?<secret>[^\\s?&#"'<>]{30,300})`,
  `hooks\\.zapier\\.com${slash}hooks${slash}catch${slash}(?<secret>\\d{4,12}${slash}\\w{4,20})`,
  `hook\\.(?:[a-z]{2}\\d\\.)?(?:make|integromat)\\.com${slash}(?<secret>\\w{20,60})`,
  `maker\\.ifttt\\.com${slash}trigger${slash}${part}{1,80}${slash}(?:json${slash})?with${slash}key${slash}(?<secret>[\\w-]{10,80})`,
  `api\\.telegram\\.org${slash}(?:file${slash})?bot(?<secret>\\d{5,16}(?::|%3A)[\\w-]{30,40})`,
].map((pattern) => new RegExp(pattern, 'g'))

/** Signatures with which everyone who knows them may read or write for a time. */
const signature =
  /(?<![\w-])(?:X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature|[Ss]ignature|sig|token|hapikey)=(?<secret>(?=[^&\s]*\d)[^&\s"'<>#\\]{20,2000})/g

/** Finds the webhooks of services, and the signatures of presigned addresses. */
export const openAddresses: Rule = {
  name: 'open-address',
  hint: /k(?<=hook)(?:s\.(?:slack|zapier)|\.office|\.(?:[a-z][a-z]\d\.)?(?:make|integromat)\.com|s\\?\/\d)|\.(?:ifttt|org)(?<=maker\.ifttt|telegram\.org)|-S(?<=X-(?:Amz|Goog)-S)(?:ignature|ecurity)|=(?<=(?:[Ss]ignature|sig|token|hapikey)=)/,
  *find(text) {
    for (const pattern of [...webhooks, signature]) yield* findPattern(text, pattern)
  },
}
