import { knownOrMade, lazily } from '../trace/remember.ts'
import { isPlaceholder } from './placeholder.ts'
import { mayStartKey } from './key-start.ts'
import { findWords, type Found, type Rule } from './rule.ts'

/** The possible prefixes of a service's keys, and a pattern for the rest. */
type KeyShape = readonly [prefixes: string, rest: string]

const word = '[A-Za-z0-9]'
const wordOrDash = '[A-Za-z0-9_-]'
const base64 = '[A-Za-z0-9+/]'
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** As documented by the services, and as listed by gitleaks (config/gitleaks.toml, https://github.com/gitleaks/gitleaks). Prefixes stay. */
const shapes: readonly KeyShape[] = [
  // Models, and services that agents use.
  ['lsv2_pt_|lsv2_sk_|pcsk_|jina_|tgp_v1_|apify_api_|e2b_|api_org_', `${wordOrDash}{20,}`],
  ['fw_|bb_live_|bb_test_', `${word}{20,}`],
  ['tvly-|csk-|fc-|pa-', `${wordOrDash}{30,}`],
  ['sk_', '[0-9a-f]{40,}'],
  ['ABSK', `${base64}{100,}={0,2}`],
  ['bedrock-api-key-', `${base64}{20,}={0,2}`],
  // Code and clouds.
  ['gldt-|glft-|glrt-|glptt-|gloas-|glcbt-|glimt-|glsoat-|glffct-|glagent-', '[A-Za-z0-9_.-]{20,}'],
  ['GR1348941', `${wordOrDash}{20}`],
  ['dop_v1_|doo_v1_|dor_v1_|sntryu_|figd_|dckr_pat_|CCIPAT_|rdme_|rubygems_|pnu_|napi_|nfp_|sgp_|CLOJARS_', `${wordOrDash}{20,}`],
  ['vercel_blob_rw_|sbp_|sb_secret_|pscale_tkn_|pscale_oauth_|pscale_pw_|sntrys_', '(?:[A-Za-z0-9_=.+/-]|%2[BF]|%3D){20,}'],
  ['glc_|glsa_|fo1_|fm1a_|fm1r_|fm2_', `[A-Za-z0-9_+/-]{20,}={0,3}`],
  ['sm_aat_|sm_pat_|sm_sat_', `${word}{16,}`],
  ['ABIA|ACCA', '[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['A3T', '[A-Z0-9]{17}(?![A-Za-z0-9])'],
  ['LTAI', `${word}{20}(?![A-Za-z0-9])`],
  ['AKCp', `${word}{69}`],
  ['cmVmd', `${word}{59}`],
  ['ya29.', `${wordOrDash}{30,}`],
  ['GOCSPX-|pul-|ico-|pypi-|tskey-auth-|tskey-client-|tskey-api-|HRKU-', `${wordOrDash}{24,}`],
  ['ATATT3|ATCTT3|ATBB', '(?:[A-Za-z0-9_=-]|%3D){20,}'],
  ['hvs.|hvb.', `${wordOrDash}{24,}`],
  ['s.', '(?=[a-z]*\\d)[a-z0-9]{24}(?![\\w.-])'],
  ['dp.pt.|dp.st.|dp.ct.|dp.sa.|dp.scim.|dp.audit.', `[A-Za-z0-9_.-]{40,}`],
  ['dt0c01.', '[A-Za-z0-9]{24}\\.[A-Za-z0-9]{64}'],
  ['v1.0-', '[a-f0-9]{24}-[a-f0-9]{100,}'],
  ['dapi', '[a-f0-9]{32}(?:-\\d)?(?![A-Za-z0-9])'],
  ['4b1d', `${word}{38}(?![A-Za-z0-9])`],
  ['sha256~', `${wordOrDash}{43}`],
  ['API-', '[A-Z0-9]{26}(?![A-Za-z0-9])'],
  ['tk-us-', `${wordOrDash}{40,}`],
  ['pat.|sat.', '[A-Za-z0-9_-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}'],
  ['NRAK-|NRJS-|NRII-|PMAK-|CFPAT-', '[A-Za-z0-9-]{19,}'],
  ['s-s4t2ud-|s-s4t2af-', '[a-f0-9]{64}'],
  ['_gitlab_session=', '[0-9a-z]{32}'],
  ['A3-', '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}'],
  ['ops_', `eyJ${base64}{100,}={0,3}`],
  ['AGE-SECRET-KEY-', '1[A-Z0-9]{58}'],
  ['sc_|ext_|scauth_|authress_', '[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[A-Za-z0-9+/_=-]{30,}'],
  // Shops, payments, mail and people.
  ['shpat_|shpca_|shppa_|shpss_', '[a-fA-F0-9]{32}'],
  ['shippo_live_|shippo_test_|duffel_live_|duffel_test_|rzp_live_|rzp_test_|lin_api_|lin_oauth_|ntn_|phx_|phc_', '[A-Za-z0-9_=-]{14,}'],
  ['re_', `${word}{8}_${word}{20,}`],
  ['EZAK|EZTK', `${word}{54}`],
  ['FLWSECK_TEST-|FLWPUBK_TEST-|FLWSECK-|FLWPUBK-', '[a-zA-Z0-9]{12,}(?:-X)?'],
  ['sk_prod_|rk_prod_', `${word}{10,}`],
  ['sk_live_|rk_live_|sk_test_|rk_test_', `${word}{10,15}(?![A-Za-z0-9+/])`],
  ['sq0atp-|sq0csp-', `${wordOrDash}{22,}`],
  ['EAAA', `${wordOrDash}{22,60}(?![\\w-])`],
  ['EAAM|EAAC', `${word}{100,}`],
  ['SG.', '[A-Za-z0-9_=.-]{60,}'],
  ['xkeysib-|xsmtpsib-', '[a-f0-9]{64}-[A-Za-z0-9]{16}'],
  ['xoxe.xoxb-|xoxe.xoxp-', '[A-Za-z0-9-]{20,}'],
  ['pat-na1-|pat-na2-|pat-eu1-', uuid],
  ['access-sandbox-|access-development-|access-production-', uuid],
  ['key-|pubkey-', '[a-f0-9]{32}(?![A-Za-z0-9])'],
  ['p8e-', '[A-Za-z0-9]{32}(?![A-Za-z0-9])'],
  ['fio-u-|dnkey-', '[A-Za-z0-9_=-]{60,}'],
  ['sl.', '[A-Za-z0-9_=-]{100,}'],
  ['tfp_|live_', '[A-Za-z0-9_.=-]{40,}'],
  ['pk.|sk.', '[A-Za-z0-9]{50,}\\.[A-Za-z0-9_-]{20,}'],
  ['SK', '[0-9a-fA-F]{32}(?![A-Za-z0-9])'],
  ['eyJrIjoi', `${base64}{70,}={0,3}`],
]

/** Keys that are recognised by their contents instead of a prefix. */
const others: readonly { readonly hint: string; readonly pattern: RegExp }[] = [
  // Telegram: the bot's number, and its token.
  { hint: ':A(?<=\\d:A)', pattern: /\d{5,16}:A[A-Za-z0-9_-]{34}(?![\w-])/g },
  // Mailchimp: the key, and the data centre.
  { hint: '-us\\d', pattern: /[a-f0-9]{32}-us\d\d?(?!\w)/g },
  // HashiCorp Terraform.
  { hint: '\\.atlasv1\\.', pattern: /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}/g },
  // Airtable.
  { hint: '\\.(?<=pat[A-Za-z0-9]{14}\\.)', pattern: /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/g },
  // MaxMind.
  { hint: '_mmk', pattern: /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?!\w)/g },
  // Azure, for an application.
  { hint: '~(?<=\\dQ~)', pattern: /[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![\w~-])/g },
  // Sentry: the key with which to send to it. The rest of the address stays.
  { hint: '@o\\d', pattern: /(?<=:\/\/)[0-9a-f]{32}(?=(?::\w{1,80})?@o\d+\.ingest\.)/g },
  // Facebook, for an application.
  { hint: '\\|(?<=\\d{15}\\|)|%7C(?<=\\d{15}%7C)', pattern: /\d{15,16}(?:\||%7C)[A-Za-z0-9_-]{27,40}(?![\w-])/g },
]

const keys = shapes.flatMap(([prefixes, rest]) => prefixes.split('|').map((prefix) => ({ prefix, rest })))

/** Keyed by their last character: few prefixes have to be tried where one may end. */
const byEnd = lazily(() =>
  groupBy(
    keys.map(({ prefix, rest }) => ({ prefix, rest: new RegExp(rest, 'y') })),
    ({ prefix }) => prefix.slice(-1),
  ),
)

/** For prefixes that end in a letter, their rare part: `AB` of `ABSK`. */
const startsWithLetters =
  'A(?:BSK|BIA|CCA|3T|KCp|T[AC]TT3|TBB)|E(?:AA[ACM]|Z[AT]K)|LTAI|GR1348941|SK(?=[0-9a-fA-F]{20})|JrI(?<=eyJrI)joi|Vmd(?<=cmVmd)|pi(?<=dapi)(?=[0-9a-f]{8})|b1d(?<=4b1d)'

/** The ends of prefixes, by their last sign: the text before it is checked only if enough text follows. */
const ends: readonly RegExp[] = [...['_', '-', '[.=~]'].map(endsIn), startsWithLetters].map((pattern) => new RegExp(pattern, 'g'))

function endsIn(sign: string): string {
  const stems = keys.flatMap(({ prefix }) => (new RegExp(`${sign}$`).test(prefix) ? [prefix.slice(0, -1)] : []))
  const byLast = groupBy(stems, (stem) => stem.slice(-1))
  const group = [...byLast].map(([last, same]) => `(?:${same.map((stem) => literal(stem.slice(0, -1))).join('|')})${last}`)
  return `${sign}(?=[\\w.+/=-]{12})(?<=(?:${group.join('|')})${sign})`
}

/** @note `Map.groupBy` is missing on the old Nodes that load this to run agents unrecorded. */
function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) knownOrMade(groups, keyOf(item), () => []).push(item)
  return groups
}

/** Escapes the special characters of a pattern. */
function literal(text: string): string {
  return text.replaceAll(/[.+~]/g, String.raw`\$&`)
}

/** Finds service keys by their documented shapes. One name, with a rule for each way to search: a text is searched at the speed of a single sign. */
export const serviceKeys: readonly Rule[] = [
  ...ends.map((pattern) => ({
    name: 'service-key',
    hint: new RegExp(pattern.source),
    *find(text: string): Generator<Found> {
      let found = 0
      for (const { index, 0: end } of text.matchAll(pattern)) {
        const at = index + end.length
        // No key begins within another key.
        if (at <= found) continue
        for (const key of findKeys(text, at)) {
          found = Math.max(found, key.end)
          yield key
        }
      }
    },
  })),
  {
    name: 'service-key',
    hint: new RegExp(others.map(({ hint }) => hint).join('|')),
    *find(text) {
      for (const { pattern } of others) yield* findWords(text, pattern)
    },
  },
]

/** Finds the key whose prefix ends at a place. */
function* findKeys(text: string, at: number): Generator<Found> {
  for (const { prefix, rest } of byEnd().get(text[at - 1] ?? '') ?? []) {
    const start = at - prefix.length
    if (!text.startsWith(prefix, start) || !mayStartKey(text, start, prefix, text.slice(at, at + 64))) continue
    rest.lastIndex = at
    const [secret = ''] = rest.exec(text) ?? []
    // Words joined by dashes are not a key.
    if (isPlaceholder(secret) || !/\d|[a-z][A-Z]|[a-z]{30}/.test(secret)) continue
    yield { start, end: at + secret.length, shape: 'word', kept: { start: prefix.length, end: 0 } }
  }
}
