import { isLuhn, luhnDigit } from '../../src/redaction/luhn.ts'
import { createRandom } from '../support/random.ts'

/** A harmless text of a kind. */
export interface LookAlike {
  readonly family: string
  readonly text: string
}

const { next: random } = createRandom(20261123)
const below = (limit: number): number => Math.floor(random() * limit)
const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
const of = (alphabet: string, length: number): string => Array.from({ length }, () => alphabet[below(alphabet.length)]).join('')
const number = (length: number): string => `${1 + below(9)}${of('0123456789', length - 1)}`
const hex = (length: number): string => of('0123456789abcdef', length)
const upper = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const uuid = (): string => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
const time = (): Date => new Date(Date.UTC(2019, 0, 1) + below(8 * 365 * 86_400_000))
/** Sixteen digits that a network might have given out, with a right check digit. */
const cardLike = (): string => {
  const body = `${pick(['4', '51', '55', '6011', '2221'])}${number(15)}`.slice(0, 15)
  return `${body}${luhnDigit(body)}`
}
/** Thirteen digits of a product, with the check digit that products have. */
const ean = (prefix: string): string => {
  const body = `${prefix}${number(12)}`.slice(0, 12)
  const sum = Array.from(body, Number).reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 1 : 3), 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}
const coordinate = (limit: number): string => `${pick(['+', '-', ''])}${(random() * limit).toFixed(3 + below(5))}`

/** Thirty-six families, of which each makes fifty-six. */
const families: Readonly<Record<string, () => string>> = {
  'order numbers': () =>
    pick([`Order ORD-${time().getFullYear()}-${number(6)}`, `#${number(5)}-${number(4)}`, `order SO${number(10)} is packed`]),
  'order numbers that are cards but for their name': () =>
    pick([`{"order_id":"${cardLike()}"}`, `{"orderNumber": ${cardLike()}}`, `{"order_number":"${cardLike()}","state":"packed"}`]),
  'tracking numbers': () =>
    pick([
      `UPS 1Z${of(upper, 3)}${number(13)}`,
      `{"tracking_number":"${number(12)}"}`,
      `9400 1000 0000 ${number(4)} ${number(4)} ${number(2)}`,
      `JJD${number(18)}`,
    ]),
  'tracking numbers that are cards but for their name': () =>
    pick([`{"trackingNumber":"${cardLike()}"}`, `{"tracking_number": "${cardLike()}"}`, `tracking_id=${cardLike()}`]),
  'ISO timestamps': () =>
    pick([time().toISOString(), time().toISOString().replace('Z', '+02:00'), time().toISOString().replaceAll(/[-:.]/g, '')]),
  'epoch timestamps': () => {
    const at = time().getTime()
    return pick([`ts=${at}`, `{"created":${Math.floor(at / 1000)}}`, `{"at":"${at}${number(3)}"}`, `${at}${number(6)}`])
  },
  'timestamps beyond today': () =>
    pick([`{"expires_at":${4_102_444_800_000 + below(9e11)}}`, `{"timestamp":"${4_102_444_800_000 + below(9e11)}"}`]),
  uuids: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${pick(['8', '9', 'a', 'b'])}${hex(3)}-${hex(12)}`,
  'uuids of digits': () => `${number(8)}-${number(4)}-4${number(3)}-8${number(3)}-${number(12)}`,
  'snowflake ids': () =>
    pick([`{"id":"1${number(17)}"}`, `https://discord.com/channels/1${number(17)}/1${number(18)}`, `tweet 1${number(18)}`]),
  'JSON ids': () => pick([`{"id":${number(12)}}`, `{"user_id":"${number(9)}","team_id":${number(10)}}`, `{"message_id":${number(15)}}`]),
  'JSON ids that are cards but for their name': () =>
    pick([`{"id":${cardLike()}}`, `{"messageId":"${cardLike()}"}`, `{"item_id": "${cardLike()}"}`]),
  'commit hashes': () => pick([hex(40), `commit ${hex(7)}`, `sha256:${hex(64)}`, of('0123456789', 40)]),
  ISBNs: () => pick([`ISBN ${ean('978')}`, `978-3-16-${number(6)}-${below(10)}`, `isbn:${ean('979')}`]),
  EANs: () => pick([`EAN ${ean(pick(['40', '42', '43', '50', '76']))}`, `{"ean":"${ean('401')}"}`, `{"gtin13":"${ean('430')}"}`]),
  'version strings': () =>
    pick([
      `v${number(2)}.${below(100)}.${below(100)}`,
      `${below(30)}.${below(30)}.${below(30)}-rc.${below(9)}+build.${number(9)}`,
      `react@${below(20)}.${below(9)}.${below(9)}`,
    ]),
  'IP addresses': () =>
    pick([
      `${200 + below(55)}.${200 + below(55)}.${below(255)}.${below(255)}`,
      `10.${below(255)}.${below(255)}.${below(255)}:8080`,
      `2001:db8::${hex(4)}:${hex(4)}`,
    ]),
  coordinates: () =>
    pick([
      `${coordinate(90)}, ${coordinate(180)}`,
      `geo:${coordinate(90)},${coordinate(180)}`,
      `{"lat":${(random() * 90).toFixed(7)},"lng":${(random() * 180).toFixed(7)}}`,
    ]),
  prices: () =>
    pick([
      `$${number(4)}.${of('0123456789', 2)}`,
      `EUR ${number(3)},${of('0123456789', 3)}.00`,
      `total: ${number(7)} cents`,
      `+${number(2)}.5 %`,
    ]),
  'sums with signs': () =>
    pick([`+${number(6)}`, `+${number(3)},${number(3)},${number(3)}`, `delta +${number(4)}.${number(4)}`, `1.5e+${number(2)}`]),
  ranges: () =>
    pick([
      `${number(4)}-${number(4)}`,
      `rows ${number(3)}-${number(3)} of ${number(6)}`,
      `pages ${number(2)}–${number(2)}`,
      `${time().getFullYear()}-${time().getFullYear()}`,
    ]),
  'invoice numbers': () =>
    pick([
      `INV-${number(8)}`,
      `RE ${time().getFullYear()}/${number(5)}`,
      `{"invoice_number":"${number(14)}"}`,
      `{"invoiceNumber":"${cardLike()}"}`,
    ]),
  'long integers': () => pick([`${10n ** 19n + BigInt(number(18))}`, `9${number(16)}`, `0x${hex(16)}`, `${number(11)} rows`]),
  'addresses in documents': () =>
    pick(['user', 'you', 'name', 'jane.doe', 'your-email', 'admin', 'someone', 'alice', 'test']) +
    `@${pick(['example.com', 'example.org', 'example.net'])}`,
  'placeholders in documents': () => pick(placeholders),
  'keys that are no secrets': () =>
    pick([
      `{"idempotency_key":"${uuid()}"}`,
      `{"cacheKey":"user:${number(6)}:orders"}`,
      `{"primary_key":"ord_${hex(16)}"}`,
      `{"public_key":"${hex(40)}"}`,
      `{"sort_key":"2026-11-${10 + below(19)}#${number(8)}"}`,
      `{"Key":"invoices/${number(4)}/${uuid()}.pdf"}`,
      `{"key":"ENG-${number(4)}"}`,
    ]),
  'where a list goes on': () =>
    pick([
      `{"next_page_token":"${of(`${upper}0123456789`, 40)}"}`,
      `{"nextToken":"${hex(32)}"}`,
      `pageToken=${hex(24)}&pageSize=10`,
      `{"continuationToken":"${hex(32)}"}`,
      `{"cursor":"${hex(24)}"}`,
    ]),
  'counts of tokens': () =>
    pick([
      `{"usage":{"prompt_tokens":${number(4)},"completion_tokens":${number(3)},"total_tokens":${number(5)}}}`,
      `{"max_tokens":${number(4)},"max_completion_tokens":${number(4)}}`,
      `{"token":"Hello","logprob":-0.${number(8)}}`,
    ]),
  'ids of models and of their calls': () =>
    pick([
      `call_${of(`${upper}abcdefghijkmnpqrstuvwxyz0123456789`, 24)}`,
      `toolu_01${of(`${upper}abcdefghijkmnpqrstuvwxyz0123456789`, 22)}`,
      `chatcmpl-${of(`${upper}abcdefghijkmnpqrstuvwxyz0123456789`, 29)}`,
      `resp_${hex(48)}`,
      `msg_01${of(`${upper}abcdefghijkmnpqrstuvwxyz0123456789`, 22)}`,
      `req_${hex(32)}`,
      `gpt-4.1-2025-04-${10 + below(19)}`,
      `claude-sonnet-4-5-2025${number(4)}`,
    ]),
  'ids of payments and of shops': () =>
    pick([
      `ch_3${of(`${upper}abcdefghijkmnpqrstuvwxyz0123456789`, 23)}`,
      `pi_3${of(`${upper}abcdefghijkmnpqrstuvwxyz0123456789`, 23)}`,
      `cus_${of(`${upper}abcdefghijkmnpqrstuvwxyz0123456789`, 14)}`,
      `re_3${of(`${upper}abcdefghijkmnpqrstuvwxyz0123456789`, 23)}`,
      `acct_1${of(`${upper}abcdefghijkmnpqrstuvwxyz0123456789`, 15)}`,
    ]),
  'numbers that begin as accounts do': () =>
    pick([
      `DE${number(9)}`,
      `article FR${number(20)}`,
      `GB${number(2)} and NL${number(2)}`,
      `SKU AT${number(12)}`,
      `flight DE${number(4)} 2026`,
    ]),
  'digits in other groups': () =>
    pick([`${number(2)}-${number(2)}-${number(4)}`, `${number(4)}-${number(2)}-${number(3)}`, `000-${number(2)}-${number(4)}`]),
  'words with dashes and underscores': () =>
    pick([
      'sk-learn-contrib-pipeline-for-everyone',
      'pat-the-dog-and-then-feed-the-cat-again',
      'key-value-stores-and-other-databases-today',
      'live_streams_of_the_conference_are_recorded',
      're_entrant_functions_without_shared_state',
      'tk-us-and-all-the-others-of-the-old-school-team',
      'ico-files-and-favicons-for-modern-browsers',
      'api_org_units_of_the_company_by_country',
      'background-color-of-the-secondary-button',
      'pa-rt-of-the-story-of-the-old-lighthouse-keeper',
    ]),
  'addresses of pages': () =>
    pick([
      `https://shop.example.com/orders/${uuid()}?tab=items`,
      `https://www.youtube.com/watch?v=${of(`${upper}abcdef0123456789`, 11)}`,
      `https://api.slack.com/messaging/webhooks`,
      `https://discord.com/developers/docs/resources/webhook`,
      `https://docs.zapier.com/hooks/catch`,
      `https://cdn.example.com/a.js?v=${hex(8)}&utm_source=mail`,
    ]),
  'hashes of packages': () =>
    pick([`sha512-${Buffer.from(hex(64)).toString('base64').slice(0, 86)}==`, `"integrity": "sha256-${hex(43)}="`, `sha1:${hex(40)}`]),
  'words of other languages with an @': () =>
    pick(['Preis @ 5 € für Größe M', '@müller hat geantwortet', 'é@è', '用户 @ 上海', 'naïve@', '@føroyar 2026']),
}

/** As documents and READMEs write what a reader has to fill in. */
const placeholders = [
  'api_key=API_KEY',
  'api_key=YOUR_API_KEY',
  'api_key="your-api-key"',
  'OPENAI_API_KEY=sk-...',
  'OPENAI_API_KEY=<your-key>',
  'ANTHROPIC_API_KEY=your_api_key_here',
  'Authorization: Bearer YOUR_TOKEN_HERE',
  'Authorization: Bearer <token>',
  'Authorization: Bearer YOUR_ACCESS_TOKEN',
  '-H "Authorization: Bearer $OPENAI_API_KEY"',
  '-H "x-api-key: YOUR_API_KEY"',
  'x-api-key: xxxxxxxxxxxx',
  '{"password":"xxxx"}',
  '{"api_key":"<YOUR_API_KEY>"}',
  '{"client_secret":"CLIENT_SECRET"}',
  'client_secret=YOUR_CLIENT_SECRET&grant_type=client_credentials',
  'access_token=ACCESS_TOKEN',
  'access_token={access_token}',
  'password=${DB_PASSWORD}',
  'password=********',
  'token: ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'sk-proj-XXXXXXXXXXXXXXXXXXXXXXXX',
  'sk_test_xxxxxxxxxxxxxxxxxxxxxxxx',
  'xoxb-your-bot-token-here',
  'export OPENAI_API_KEY="sk-your-api-key-here-xxxxxxx"',
  'postgres://user:password@localhost:5432/db',
  'postgres://USER:PASSWORD@HOST:5432/DATABASE',
  'https://<user>:<password>@host.internal/path',
  'secret_key=INSERT_SECRET_KEY_HERE',
]

/** Two thousand harmless texts: fifty-six of each family. */
export const lookAlikes: readonly LookAlike[] = Object.entries(families).flatMap(([family, make]) =>
  Array.from({ length: 56 }, () => ({ family, text: make() })),
)

/** How many of them have a number in them that is a card's by its digits: the corpus is no corpus of easy ones. */
export const cardsByTheirDigits: number = lookAlikes.filter(({ text }) => (text.match(/\b\d{16}\b/g) ?? []).some(isLuhn)).length
