import { createRandom } from '../support/random.ts'

/** A secret as it is sent, and what of it must not be on the disk. */
export interface Planted {
  readonly kind: string
  /** With what it is known by, where its shape alone does not tell. */
  readonly text: string
  readonly secret: string
}

const { next: random } = createRandom(20261121)
const pick = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')
const digits = '0123456789'
const lower = 'abcdefghijklmnopqrstuvwxyz'
const upper = lower.toUpperCase()
const word = `${lower}${upper}${digits}`

/** Twenty kinds: the secret, and the text it comes in. */
const kinds: Readonly<Record<string, () => readonly [secret: string, text?: (secret: string) => string]>> = {
  'openai-key': () => [`sk-proj-${pick(word, 40)}`],
  'anthropic-key': () => [`sk-ant-api03-${pick(`${word}-_`, 40)}x`],
  'google-key': () => [`AIza${pick(word, 35)}`],
  'stripe-key': () => [`sk_live_${pick(word, 24)}`],
  'aws-key-id': () => [`AKIA${pick(`${upper}${digits}`, 16)}`],
  'aws-secret-key': () => [pick(`${word}/+`, 40), (secret) => `aws_secret_access_key=${secret}`],
  'github-token': () => [`ghp_${pick(word, 36)}`],
  'slack-token': () => [`xoxb-${pick(digits, 12)}-${pick(word, 24)}`],
  jwt: () => [`eyJ${pick(word, 20)}.eyJ${pick(word, 30)}.${pick(word, 43)}`],
  bearer: () => [pick(word, 32), (secret) => `Bearer ${secret}`],
  basic: () => [Buffer.from(`user:${pick(word, 12)}`).toString('base64'), (secret) => `Basic ${secret}`],
  'url-password': () => [pick(word, 12), (secret) => `postgres://shop:${secret}@db.internal/orders`],
  'private-key': () => [pick(word, 64), (secret) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`],
  cookie: () => [pick(word, 20), (secret) => `Cookie: sid=${secret}; Path=/`],
  email: () => [`${pick(lower, 8)}.${pick(lower, 5)}@${pick(lower, 7)}.com`],
  'card-number': () => [toCard(`4${pick(digits, 14)}`)],
  'phone-number': () => [`+49 1${pick('567', 2)} ${pick(digits, 7)}`],
  password: () => [pick(word, 10), (secret) => `{"password":"${secret}"}`],
  'own-pattern': () => [`CUST-${pick(digits, 6)}`],
  'own-path': () => [`${pick(upper, 1)}${pick(lower, 6)} ${pick(upper, 1)}${pick(lower, 7)}`],
}

/** Two hundred secrets: ten of each kind. */
export const planted: readonly Planted[] = Object.entries(kinds).flatMap(([kind, make]) =>
  Array.from({ length: 10 }, () => {
    const [secret, toText = (own) => own] = make()
    return { kind, secret, text: toText(secret) }
  }),
)

/** One of each kind, for one of ten places. */
export function secretsFor(place: number): readonly Planted[] {
  return planted.filter((_, index) => index % 10 === place)
}

/** Every form in which a secret could be read off a file: as it is, as JSON and URLs write it, and in base64 at each of the three offsets. */
export function formsOf(secret: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]).toString('base64url')
    // What depends on the bytes around it is left out.
    return encoded.slice(offset === 0 ? 0 : offset + 1, -3)
  })
  const json = JSON.stringify(secret).slice(1, -1)
  return [
    ...new Set([
      secret,
      json,
      JSON.stringify(json).slice(1, -1),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('hex'),
      ...inBase64,
    ]),
  ]
}

function toCard(body: string): string {
  const last = Array.from({ length: 10 }, (_, digit) => `${body}${digit}`).find((number) => isLuhn(number)) ?? ''
  return last.replace(/(\d{4})(?=\d)/g, '$1 ')
}

function isLuhn(number: string): boolean {
  const sum = number
    .split('')
    .toReversed()
    .reduce((total, digit, index) => {
      const twice = Number(digit) * (index % 2 === 0 ? 1 : 2)
      return total + (twice > 9 ? twice - 9 : twice)
    }, 0)
  return sum % 10 === 0
}
