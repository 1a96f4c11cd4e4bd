import { callingCode, digitsOf, phoneGap } from './number-patterns.ts'
import type { Found, Rule } from './rule.ts'
import { isWordStart } from './word-start.ts'

/** How a country's numbers are written at home. */
interface Plan {
  readonly code: string
  /** The digit before the number that is left out abroad. */
  readonly trunk: string
  /** How many digits follow the trunk digit. */
  readonly least: number
  readonly most: number
  /** The digits with which a number without a trunk digit may begin. */
  readonly first: RegExp
}

/** Country, calling code, trunk digit or `-`, digits behind it, first digits: from the numbering plans that countries notify to the ITU. */
const notified =
  'AE 971 0 8-9 2-9,AT 43 0 9-12 1-9,AU 61 0 9-9 2-8,BE 32 0 8-9 1-9,BR 55 - 10-11 1-9,CH 41 0 9-9 2-9,CN 86 - 11-11 1,CZ 420 - 9-9 2-9,DE 49 0 9-11 1-9,' +
  'DK 45 - 8-8 2-9,ES 34 - 9-9 6-9,FI 358 0 6-10 1-9,FR 33 0 9-9 1-9,GB 44 0 9-10 1-9,GR 30 - 10-10 26,IE 353 0 8-9 1-9,IL 972 0 8-9 2-9,IN 91 0 10-10 1-9,' +
  'IT 39 - 9-11 03,JP 81 0 9-10 1-9,KR 82 0 8-10 1-9,MX 52 - 10-10 1-9,NL 31 0 9-9 1-9,NO 47 - 8-8 2-9,NZ 64 0 8-10 2-9,PL 48 - 9-9 1-9,PT 351 - 9-9 29,' +
  'RU 7 8 10-10 3-9,SE 46 0 7-9 1-9,SG 65 - 8-8 3-9,TR 90 0 10-10 2-5,UA 380 0 9-9 3-9,ZA 27 0 9-9 1-8'

let known: ReadonlyMap<string, Plan> | undefined

/** The plans by their countries. Few processes need them. */
function plans(): ReadonlyMap<string, Plan> {
  return (known ??= new Map(notified.split(',').map(toPlan)))
}

function toPlan(row: string): [country: string, plan: Plan] {
  const [country = '', code = '', trunk = '', lengths = '', first = ''] = row.split(' ')
  const [least = 0, most = 0] = lengths.split('-').map(Number)
  return [country, { code, trunk: trunk === '-' ? '' : trunk, least, most, first: new RegExp(`^[${first}]`) }]
}

/** Returns the countries whose numbers can be found as people write them at home, by their codes in ISO 3166. */
export function phoneCountries(): readonly string[] {
  return [...plans().keys()]
}

const end = '(?!\\w|[.-]\\d)'
/** With the prefix of international calls in most of the world, and in North America. */
const abroad = new RegExp(`(?:00|011)(?:[ +-]|%20)?(?=${callingCode})[1-9](?:${phoneGap}\\d){7,13}${end}`, 'g')
/** In its groups, or behind a word for a telephone. */
const grouped = new RegExp(`\\(?\\d(?:(?:[ ()./+-]|%2[089]){0,3}\\d){7,12}${end}`, 'g')
const label =
  /(?:\b(?:[Tt]el(?:efon|[eé]phone|[eé]fono)?|TEL|[Pp]hone|PHONE|[Mm]obil[e]?|MOBILE|[Mm][oó]vil|[Hh]andy|[Nn]atel|[Cc]ell(?:ulare)?|[Ff]ax|FAX|[Ww]hats[Aa]pp)|電話)(?:[ _-]?(?:[Nn]umber|[Nn]o|[Nn]r))?\.?\\*["']?(?:[:\s+=]|\\*["']|%3A|%20){0,5}$/
const fieldName =
  /(?:^|[^A-Za-z]|(?<=[a-z])(?=[A-Z]))(?:[Pp]hone|[Mm]obile|[Tt]elephone|[Tt]el|[Ff]ax|msisdn|PHONE|MOBILE)(?:[_-]?(?:[Nn]umber|NUMBER|[Nn]o|[Nn]r))?$/

/** Finds numbers with the prefix of an international call, and numbers with a leading zero in fields and behind words that mean a telephone. */
export const phonesAtHome: Rule = {
  name: 'national-phone-number',
  hint: /0(?<![\w.]0)(?=[01]?[ +]?[1-9][\d ()./+%-]{6})/,
  isField: (name) => fieldName.test(name),
  *find(text, field) {
    for (const { index, 0: found } of text.matchAll(abroad)) {
      const digits = digitsOf(found).replace(/^(?:00|011)/, '')
      const isGrouped = /[ +-]|%20/.test(found.slice(3))
      if (isWordStart(text, index, '-.') && (isGrouped || isNamed(text, index, field))) yield phone(index, found, `+${digits}`)
    }
    for (const { start, found } of findGrouped(text)) {
      const digits = digitsOf(found)
      if (/^0[1-9]/.test(digits) && digits.length >= 9 && isNamed(text, start, field)) yield phone(start, found, digits)
    }
  },
}

/** Returns the rule that finds numbers as people write them in some countries. */
export function phonesOf(countries: readonly string[]): Rule {
  const wanted = countries.flatMap((country) => plans().get(country) ?? [])
  return {
    name: 'national-phone-number',
    hint: /\d[ ()./+%-]{1,3}[\d(]/,
    *find(text) {
      for (const { start, found } of findGrouped(text)) {
        const identity = identityIn(wanted, found)
        if (identity !== undefined) yield phone(start, found, identity)
      }
    },
  }
}

function* findGrouped(text: string): Generator<{ readonly start: number; readonly found: string }> {
  for (const { index, 0: found } of text.matchAll(grouped)) {
    if (isWordStart(text, index, '-./:')) yield { start: index, found }
  }
}

/** A date, a time, a decimal and an address of a machine have groups as well. */
const otherNumber = /^(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})(?![\d./-])|^\d{1,3}(?:\.\d{1,3}){3}$|^\d+\.\d+$/

function identityIn(wanted: readonly Plan[], found: string): string | undefined {
  const digits = digitsOf(found)
  const groups = found.split(/(?:[ ()./+-]|%2[089])+/).filter((group) => group !== '')
  if (groups.length < 2 || otherNumber.test(found) || (groups[0] ?? '').length === 1) return undefined
  for (const { code, trunk, least, most, first } of wanted) {
    if (!digits.startsWith(trunk)) continue
    const own = digits.slice(trunk.length)
    // Without a digit that begins every number, more groups are needed.
    const fewest = trunk === '' ? 3 : 2
    if (own.length >= least && own.length <= most && first.test(own) && groups.length >= fewest) return `+${code}${own}`
  }
  return undefined
}

function isNamed(text: string, index: number, field: string | undefined): boolean {
  return (field !== undefined && fieldName.test(field)) || label.test(text.slice(Math.max(0, index - 40), index))
}

function phone(start: number, found: string, identity: string): Found {
  return { start, end: start + found.length, shape: 'phone', identity }
}
