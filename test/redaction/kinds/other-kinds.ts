import { createRandom } from '../../support/random.ts'
import type { Kind } from './kind.ts'

const { next: random } = createRandom(20261125)
const below = (limit: number): number => Math.floor(random() * limit)
const of = (alphabet: string, length: number): string => Array.from({ length }, () => alphabet[below(alphabet.length)]).join('')
const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
const digits = '0123456789'
const lower = 'abcdefghijklmnopqrstuvwxyz'
const word = `${lower}${lower.toUpperCase()}${digits}`
const hex = '0123456789abcdef'
const uuid = (): string => [8, 4, 4, 4, 12].map((length) => of(hex, length)).join('-')

/** What is sent, and what of it must not be kept where that is not all. */
type Make = () => string | { readonly secret: string; readonly text: string }

/** Keys of services of this field that gitleaks has no rule for, as their documents show them. */
const keys: Readonly<Record<string, Make>> = {
  'LangSmith key': () => `lsv2_${pick(['pt', 'sk'])}_${of(hex, 32)}_${of(hex, 10)}`,
  'Langfuse key': () => `sk-lf-${uuid()}`,
  'Pinecone key': () => `pcsk_${of(word, 6)}_${of(word, 63)}`,
  'Supabase token': () => `sbp_${of(hex, 40)}`,
  'Supabase secret key': () => `sb_secret_${of(word, 22)}_${of(word, 8)}`,
  'Tavily key': () => `tvly-${pick(['dev', 'prod'])}-${of(word, 32)}`,
  'Cerebras key': () => `csk-${of(`${lower}${digits}`, 48)}`,
  'Fireworks key': () => `fw_${of(word, 24)}`,
  'Jina key': () => `jina_${of(hex, 32)}${of(word, 28)}`,
  'Voyage key': () => `pa-${of(word, 43)}`,
  'Together key': () => `tgp_v1_${of(word, 43)}`,
  'OpenRouter key': () => `sk-or-v1-${of(hex, 64)}`,
  'DeepSeek key': () => `sk-${of(hex, 32)}`,
  'ElevenLabs key': () => `sk_${of(hex, 48)}`,
  'Firecrawl key': () => `fc-${of(hex, 32)}`,
  'E2B key': () => `e2b_${of(hex, 40)}`,
  'Apify token': () => `apify_api_${of(word, 36)}`,
  'Browserbase key': () => `bb_live_${of(word, 27)}`,
  'Resend key': () => `re_${of(word, 8)}_${of(word, 24)}`,
  'Neon key': () => `napi_${of(`${lower}${digits}`, 64)}`,
  'Vercel Blob token': () => `vercel_blob_rw_${of(word, 16)}_${of(word, 30)}`,
  'Figma token': () => `figd_${of(word, 40)}`,
  'Docker token': () => `dckr_pat_${of(word, 27)}`,
  'Google OAuth secret': () => `GOCSPX-${of(word, 28)}`,
  'Google OAuth token': () => `ya29.${of(word, 120)}`,
  'HubSpot token': () => `pat-${pick(['na1', 'eu1'])}-${uuid()}`,
  'PostHog key': () => `phx_${of(word, 43)}`,
  'Tailscale key': () => `tskey-auth-${of(word, 12)}-${of(word, 32)}`,
  'CircleCI token': () => `CCIPAT_${of(word, 22)}_${of(hex, 40)}`,
  'Square secret': () => `sq0csp-${of(word, 43)}`,
  'Brevo SMTP key': () => `xsmtpsib-${of(hex, 64)}-${of(word, 16)}`,
  'Contentful token': () => `CFPAT-${of(word, 43)}`,
  'Sentry DSN': () => {
    const secret = of(hex, 32)
    return { secret, text: `https://${secret}:${of(hex, 32)}@o12.ingest.sentry.io/34` }
  },
  'Azure storage key': () => {
    const secret = `${of(word, 86)}==`
    return { secret, text: `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${secret};EndpointSuffix=core.windows.net` }
  },
  'Deepgram key in an environment': () => inEnvironment('DEEPGRAM_API_KEY', of(hex, 40)),
  'Mistral key in an environment': () => inEnvironment('MISTRAL_API_KEY', of(word, 32)),
  'Cohere key in an environment': () => inEnvironment('CO_API_KEY', of(word, 40)),
  'Exa key in a header': () => {
    const secret = uuid()
    return { secret, text: `x-api-key: ${secret}` }
  },
  'webhook signing secret in JSON': () => inField('webhook_signing_secret', of(word, 40)),
  'encryption key in JSON': () => inField('encryptionKey', of(word, 44)),
  'bot token in JSON': () => inField('botToken', `${of(digits, 10)}:AA${of(word, 33)}`),
}

function inEnvironment(name: string, secret: string): { secret: string; text: string } {
  return { secret, text: `${name}=${secret}` }
}

function inField(name: string, secret: string): { secret: string; text: string } {
  return { secret, text: JSON.stringify({ retries: 3, [name]: secret }) }
}

/** Addresses that let whoever knows them in. */
const addresses: Readonly<Record<string, Make>> = {
  'Slack webhook': () => inUrl(`https://hooks.slack.com/services/T${of('ABCDEFGH012345', 8)}/B${of('ABCDEFGH012345', 10)}/`, of(word, 24)),
  'Discord webhook': () => inUrl(`https://discord.com/api/webhooks/${of('123456789', 18)}/`, of(`${word}_-`, 68)),
  'Teams workflow': () =>
    inUrl(`https://prod-12.westeurope.logic.azure.com/workflows/${of(hex, 32)}/triggers/manual/paths/invoke?sv=1.0&sig=`, of(word, 43)),
  'Zapier hook': () => inUrl(`https://hooks.zapier.com/hooks/catch/${of('123456789', 7)}/`, `${of(lower, 3)}${of(digits, 4)}`),
  'Make hook': () => inUrl('https://hook.eu1.make.com/', of(`${lower}${digits}`, 32)),
  'IFTTT hook': () => inUrl('https://maker.ifttt.com/trigger/door/with/key/', of(word, 22)),
  'Google Chat hook': () =>
    inUrl(`https://chat.googleapis.com/v1/spaces/AAAA${of(word, 7)}/messages?key=AIza${of(word, 35)}&token=`, of(word, 43)),
  'Telegram bot in an address': () => inUrl(`https://api.telegram.org/bot`, `${of('123456789', 10)}:AA${of(word, 33)}`, '/sendMessage'),
  'S3 address': () =>
    inUrl(
      `https://shop.s3.eu-west-1.amazonaws.com/a.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=3600&X-Amz-Signature=`,
      of(hex, 64),
    ),
  'Azure blob address': () =>
    inUrl(`https://shop.blob.core.windows.net/in/a.pdf?sv=2024-11-04&se=2026-12-01&sr=b&sp=r&sig=`, `${of(word, 43)}%3D`),
  'Google storage address': () =>
    inUrl('https://storage.googleapis.com/shop/a.pdf?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Signature=', of(hex, 512)),
  'CloudFront address': () => inUrl('https://d111.cloudfront.net/a.pdf?Expires=1790000000&Signature=', of(word, 171), '&Key-Pair-Id=K2'),
}

function inUrl(before: string, secret: string, after = ''): { secret: string; text: string } {
  return { secret, text: `POST ${before}${secret}${after}` }
}

/** A mailbox and a host, of the world's alphabets. */
const mailboxes: readonly string[] = [
  'jürgen.groß@müller-söhne.de',
  'renée@société.fr',
  'josé.ñuñez@correo.es',
  '用户@例子.公司',
  'иван@почта.рф',
  'γιώργος@παράδειγμα.ελ',
  'उपयोगकर्ता@उदाहरण.भारत',
  'مستخدم@مثال.السعودية',
  'שמעון@דוגמה.ישראל',
  'ユーザー@例え.テスト.jp',
  '홍길동@메일.한국',
  'ann@xn--mller-kva.xn--p1ai',
  'björn@firm.se',
  'ann@firma.københavn',
  'łukasz.żak@poczta.pl',
  'ann+invoice@mail.shop.co.uk',
]

/** With a check of their own, as the registry of IBANs gives them; the digits are examples of that registry. */
const ibans: readonly string[] = [
  'GB29 NWBK 6016 1331 9268 19',
  'DE89 3704 0044 0532 0130 00',
  'FR14 2004 1010 0505 0001 3M02 606',
  'ES91 2100 0418 4502 0005 1332',
  'IT60 X054 2811 1010 0000 0123 456',
  'NL91 ABNA 0417 1643 00',
  'CH93 0076 2011 6238 5295 7',
  'AT61 1904 3002 3457 3201',
  'BE68 5390 0754 7034',
  'PL61 1090 1014 0000 0712 1981 2874',
  'SE45 5000 0000 0583 9825 7466',
  'NO93 8601 1117 947',
  'DK50 0040 0440 1162 43',
  'FI21 1234 5600 0007 85',
  'PT50 0002 0123 1234 5678 9015 4',
  'IE29 AIBK 9311 5212 3456 78',
  'TR33 0006 1005 1978 6457 8413 26',
  'SA03 8000 0000 6080 1016 7519',
  'AE07 0331 2345 6789 0123 456',
  'BR18 0036 0305 0000 1000 9795 493C 1',
]

const cards: Readonly<Record<string, string>> = {
  Visa: '4111 1111 1111 1111',
  Mastercard: '5555 5555 5555 4444',
  'American Express': '3782 822463 10005',
  Discover: '6011 1111 1111 1117',
  Diners: '3056 930902 5904',
  JCB: '3530 1113 3330 0000',
}

const phones: readonly string[] = [
  '(415) 555-2671',
  '+1 415 555 2671',
  '+44 20 7946 0958',
  '+49 (170) 123-4567',
  '+33 1 23 45 67 89',
  '+81 3-1234-5678',
  '+86 131 2345 6789',
  '+91 98765 43210',
  '+55 11 91234-5678',
  '+61 4 1234 5678',
]

const logins: Readonly<Record<string, Make>> = {
  'JSON web token': () => `eyJ${of(word, 20)}.eyJ${of(word, 30)}.${of(word, 43)}`,
  'Bearer token': () => behind('Authorization: Bearer ', of(word, 32)),
  'Basic credentials': () => behind('Authorization: Basic ', Buffer.from(`user:${of(word, 12)}`).toString('base64')),
  'MongoDB password': () => inUrl('mongodb+srv://shop:', of(word, 16), '@cluster0.ab1cd.mongodb.net/orders'),
  'Redis password': () => inUrl('rediss://default:', of(word, 16), '@cache.internal:6379'),
  'AMQP password': () => inUrl('amqp://shop:', of(word, 16), '@queue.internal:5672'),
  'session cookie': () => behind('Cookie: sid=', of(word, 20)),
  'password in a form': () => behind('user=ann&password=', of(word, 12)),
  'Stripe webhook secret': () => `whsec_${of(word, 32)}`,
  'SSH key': () => {
    const secret = of(word, 70)
    return { secret, text: `-----BEGIN OPENSSH PRIVATE KEY-----\n${secret}\n-----END OPENSSH PRIVATE KEY-----` }
  },
}

function behind(before: string, secret: string): { secret: string; text: string } {
  return { secret, text: `${before}${secret}` }
}

const socialSecurity: readonly string[] = ['078-05-1120', '219-09-9999', '457-55-5462']

/** Kinds beside those of gitleaks: keys of this field's services, addresses that open a door, and what is of a person. */
export const otherKinds: readonly Kind[] = [
  ...made({ ...keys, ...addresses, ...logins }),
  ...mailboxes.map((secret) => fixed(`address ${secret}`, secret)),
  ...ibans.map((secret) => fixed(`IBAN of ${secret.slice(0, 2)}`, secret)),
  ...Object.entries(cards).map(([kind, secret]) => fixed(kind, secret)),
  ...phones.map((secret) => fixed(`phone ${secret}`, secret)),
  ...socialSecurity.map((secret) => fixed(`social security number ${secret}`, secret)),
]

function made(kinds: Readonly<Record<string, Make>>): Kind[] {
  return Object.entries(kinds).map(([kind, make]) => ({
    kind,
    samples: [make(), make(), make()].map((sample) =>
      typeof sample === 'string' ? { secret: sample, text: `Use ${sample} for it.` } : sample,
    ),
  }))
}

/** In a sentence, in a field and, as it is without gaps, in another. */
function fixed(kind: string, secret: string): Kind {
  const whole = secret.replaceAll(' ', '')
  return {
    kind,
    samples: [
      { secret, text: `Write to ${secret}, please.` },
      { secret, text: JSON.stringify({ customer: { contact: secret } }) },
      ...(/^[A-Z]{2}/.test(secret) ? [{ secret: whole, text: JSON.stringify({ account: whole }) }] : []),
    ],
  }
}
