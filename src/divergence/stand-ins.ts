/** What redaction puts in a secret's place ends in this: a word and a number, which says only which secrets of a trace are the same. */
const standIn = /REDACTED(\d{4,})/g

/** A text in which the stand-ins are numbered by their first appearance in it: `REDACTED1`, `REDACTED2` … */
export function renumberStandIns(text: string): string {
  if (!text.includes('REDACTED')) return text
  const numbers = new Map<string, number>()
  return text.replace(standIn, (_, digits: string) => {
    const number = numbers.get(digits) ?? numbers.size + 1
    numbers.set(digits, number)
    return `REDACTED${number}`
  })
}

/** A text without the numbers of its stand-ins: what is left is the same wherever two texts differ in nothing but secrets. */
export function withoutStandInNumbers(text: string): string {
  return text.includes('REDACTED') ? text.replace(standIn, 'REDACTED') : text
}

/** Compares the texts of two inputs with their stand-ins as variables: one consistent one-to-one renaming has to hold for all of them. */
export class StandInRenaming {
  readonly #received = new Map<string, string>()
  readonly #expected = new Map<string, string>()

  /** Whether two texts are the same under what has been compared before. */
  isSame(expected: string, received: string): boolean {
    if (expected === received && !expected.includes('REDACTED')) return true
    if (withoutStandInNumbers(expected) !== withoutStandInNumbers(received)) return false
    const names = numbersIn(received)
    return numbersIn(expected).every((number, index) => this.#pair(number, names[index] ?? ''))
  }

  #pair(expected: string, received: string): boolean {
    const [known, origin] = [this.#received.get(expected), this.#expected.get(received)]
    if (known !== undefined || origin !== undefined) return known === received && origin === expected
    this.#received.set(expected, received)
    this.#expected.set(received, expected)
    return true
  }
}

function numbersIn(text: string): string[] {
  return Array.from(text.matchAll(standIn), ([, digits]) => digits ?? '')
}
