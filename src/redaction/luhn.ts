/** Returns the check digit of a card number. */
export function luhnDigit(digits: string): number {
  return (10 - (sumOf(digits, 1) % 10)) % 10
}

/** Returns whether the last digit is the check digit of the others, as in every card number. */
export function isLuhn(digits: string): boolean {
  return sumOf(digits, 0) % 10 === 0
}

/** @param first Whether the last digit counts once (0) or twice (1). */
function sumOf(digits: string, first: 0 | 1): number {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    const weighed = (index + first) % 2 === 0 ? digit : digit * 2
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum
}
