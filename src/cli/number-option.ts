import { InvalidArgumentError } from 'commander'

/**
 * Returns a parser for an option that is a number.
 *
 * @param wanted What the option has to be, for the message about others.
 */
export function numberOption(wanted: string, isValid: (number: number) => boolean): (text: string) => number {
  return (text) => {
    const number = text.trim() === '' ? Number.NaN : Number(text)
    if (isValid(number)) return number
    throw new InvalidArgumentError(`It has to be ${wanted}.`)
  }
}
