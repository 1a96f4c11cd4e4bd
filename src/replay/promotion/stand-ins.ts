import { secretPatterns } from '../../record/redaction/secret-patterns.ts'

/** What redaction put in a trace. */
export interface StandIns {
  /** How many different ones. */
  readonly total: number
  /** How many of each rule, by its name; `other` where no rule is known any more. */
  readonly byRule: Readonly<Record<string, number>>
}

/** A stand-in is numbered within its trace: see the redactor. */
const standInPattern = /REDACTED(\d{4,})/g

/** A rule's stand-ins: the part that its pattern keeps, then the word and the number. */
const rules = secretPatterns.map(({ rule, pattern }) => ({
  rule,
  pattern: new RegExp(`${keptPart(pattern.source)}REDACTED(?<number>\\d{4,})`, 'g'),
}))

/** Counts the stand-ins in the text of a trace. */
export function countStandIns(text: string): StandIns {
  const ruleOf = new Map<number, string>()
  for (const { rule, pattern } of rules) {
    for (const { groups } of text.matchAll(pattern)) ruleOf.set(Number(groups?.['number']), rule)
  }
  const numbers = new Set(Array.from(text.matchAll(standInPattern), ([, digits]) => Number(digits)))
  const byRule: Record<string, number> = {}
  for (const number of [...numbers].toSorted((a, b) => a - b)) {
    const rule = ruleOf.get(number) ?? 'other'
    byRule[rule] = (byRule[rule] ?? 0) + 1
  }
  return { total: numbers.size, byRule }
}

/** The source of a pattern up to the end of its first group. Secret patterns have no parentheses in character classes. */
function keptPart(source: string): string {
  let depth = 0
  for (let index = 0; index < source.length; index++) {
    if (source[index] === '\\') index++
    else if (source[index] === '(') depth++
    else if (source[index] === ')' && --depth === 0) return source.slice(0, index + 1)
  }
  return source
}
