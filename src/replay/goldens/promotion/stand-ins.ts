import { builtInRules } from '../../../redaction/built-in-rules.ts'
import { findStandIns } from '../../../redaction/stand-in.ts'

/** The stand-ins in a trace. */
export interface StandIns {
  /** How many different ones. */
  readonly total: number
  /** How many of each rule, by its name; `own` if no built-in rule matches. */
  readonly byRule: Readonly<Record<string, number>>
}

/** Counts the stand-ins in the text of a trace. They have the shape of the original values, so the same rules match them. */
export function countStandIns(text: string): StandIns {
  const found = findStandIns(text)
  const ruleOf = new Map<number, string>()
  if (found.length > 0) {
    for (const rule of builtInRules) {
      for (const { start, end } of rule.find(text)) {
        for (const { number } of findStandIns(text.slice(start, end))) if (!ruleOf.has(number)) ruleOf.set(number, rule.name)
      }
    }
  }
  const numbers = new Set(found.map(({ number }) => number))
  const byRule: Record<string, number> = {}
  for (const number of [...numbers].toSorted((a, b) => a - b)) {
    const rule = ruleOf.get(number) ?? 'own'
    byRule[rule] = (byRule[rule] ?? 0) + 1
  }
  return { total: numbers.size, byRule }
}
