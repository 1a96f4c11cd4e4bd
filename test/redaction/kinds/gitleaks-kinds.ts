import fc from 'fast-check'
import rules from './gitleaks.json' with { type: 'json' }
import type { Kind } from './kind.ts'

// The regular expressions of gitleaks' default configuration (https://github.com/gitleaks/gitleaks, config/gitleaks.toml of July 2026, MIT, Copyright
// (c) 2019 Zachary Rice) make the samples: nothing of goldenrun's own rules is in them.

/** What gitleaks lets stand around and between the name of a service and its secret. */
const operator = '(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)'
const beforeSecret = `[\\x60'"\\s=]{0,5}`
const afterSecret = /\(\?:\[\\x60'"\\s;\]\|\\\\\[nr\]\|\$(?:\|\\b)?\)$/

/** How a secret of a service is written down, as gitleaks tries its own rules. */
const writings: readonly ((service: string, secret: string) => string)[] = [
  (service, secret) => `${service}Token = "${secret}"`,
  (service, secret) => `{"${service}_token": "${secret}"}`,
  (service, secret) => `${service.toUpperCase()}_TOKEN=${secret}\nBACKUP_ENABLED=true`,
  (service, secret) => `${service}_token: '${secret}'`,
  (service, secret) => `const ${service}Token = '${secret}';`,
]

/** One kind for each rule of gitleaks that has a pattern: three samples, from a seed. */
export const gitleaksKinds: readonly Kind[] = Object.entries(rules).map(([id, regex], index) => {
  const [before, after] = regex.split(`${operator}${beforeSecret}`)
  const samples =
    before !== undefined && after !== undefined
      ? valuesOf(after.replace(afterSecret, ''), index).map((secret, nth) => inWords(serviceOf(before), secret, index + nth))
      : matchesOf(regex.replace(afterSecret, ''), index)
  return { kind: id, samples }
})

/** The first of the names that a rule knows a service by. */
function serviceOf(before: string): string {
  const [, names = ''] = /\{0,50\}\?\(\?:(.*?)\)\(\?:\[ \\t/.exec(before) ?? []
  return (toScript(names).split('|')[0] ?? '').replaceAll(/[^\w-]|\(\?:|\[_-\]\?/g, '')
}

function inWords(service: string, secret: string, index: number): Kind['samples'][number] {
  const write = writings[index % writings.length] ?? ((): string => secret)
  return { secret, text: write(service, secret) }
}

/** A text that a rule finds, with what it says is the secret in it. */
function matchesOf(regex: string, index: number): Kind['samples'] {
  const pattern = new RegExp(toScript(regex), regex.includes('(?i') ? 'i' : '')
  return valuesOf(regex, index).map((value) => {
    const found = pattern.exec(value)
    const secret = found?.slice(1).findLast((group) => group !== undefined) ?? value
    return { secret: secret.length > 7 ? secret : value, text: `Use ${value} for it.` }
  })
}

function valuesOf(regex: string, seed: number): string[] {
  const pattern = new RegExp(`^(?:${toScript(regex).replaceAll(/\\b/gi, '')})$`)
  return fc.sample(fc.stringMatching(pattern, { maxLength: 900 }), { seed: 20261124 + seed, numRuns: 3 })
}

/** A pattern of Go in the words of JavaScript. */
function toScript(regex: string): string {
  return (
    regex
      .replaceAll(/\(\?-?i\)/g, '')
      .replaceAll(/\(\?-?i:/g, '(?:')
      .replaceAll('(?s:.)', '[^]')
      .replaceAll('(?s)', '')
      .replaceAll('(?P<', '(?<')
      .replaceAll('[[:alnum:]]', '[A-Za-z0-9]')
      .replaceAll('\\z', '$')
      // A dot of a host is one.
      .replaceAll(/(?<=hooks|slack|gems|enterprise|contribsys|xoxe|SDK)\.(?=slack|com|contribsys|xox|initialize)/g, '\\.')
  )
}
