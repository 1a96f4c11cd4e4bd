import { littleEndian } from '../wire-bytes.ts'

/** The bias that is added to the stored exponent. Source: IEEE 754-2008, decimal128. */
const bias = 6176
const coefficientMask = (1n << 113n) - 1n
const maxCoefficient = 10n ** 34n

/** The text of a 128-bit decimal number, which converts back to the same bits. Source: MongoDB's specification "BSON Decimal128". */
export function readDecimal(bytes: Uint8Array): string {
  const bits = toBits(bytes)
  const sign = bits >> 127n === 1n ? '-' : ''
  const combination = Number((bits >> 122n) & 31n)
  if (combination === 31) return 'NaN'
  if (combination === 30) return `${sign}Infinity`
  // If the first two bits of the combination are set, the coefficient is larger than any valid one, and counts as zero.
  const isLarge = combination >> 3 === 3
  const exponent = Number((bits >> (isLarge ? 111n : 113n)) & 0x3fffn) - bias
  const coefficient = isLarge ? 0n : bits & coefficientMask
  return sign + print(coefficient < maxCoefficient ? coefficient : 0n, exponent)
}

/** Returns the bits of a decimal number, or undefined if the text is not a number. */
export function writeDecimal(text: string): Buffer | undefined {
  const sign = text.startsWith('-') ? 1n << 127n : 0n
  if (/^-?nan$/i.test(text)) return toBytes(31n << 122n)
  if (/^-?inf(?:inity)?$/i.test(text)) return toBytes(sign | (30n << 122n))
  const [, whole, fraction = '', written = '0'] = /^[+-]?(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  if (whole === undefined) return undefined
  const coefficient = BigInt(whole + fraction)
  const exponent = Number(written) - fraction.length + bias
  if (coefficient >= maxCoefficient || exponent < 0 || exponent > 0x2fff) return undefined
  return toBytes(sign | (BigInt(exponent) << 113n) | coefficient)
}

function print(coefficient: bigint, exponent: number): string {
  const digits = String(coefficient)
  const scientific = exponent + digits.length - 1
  if (exponent > 0 || scientific < -6) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
    return `${digits[0]}${fraction}E${scientific < 0 ? '' : '+'}${scientific}`
  }
  if (exponent === 0) return digits
  const padded = digits.padStart(1 - exponent, '0')
  return `${padded.slice(0, exponent)}.${padded.slice(exponent)}`
}

function toBits(bytes: Uint8Array): bigint {
  const view = Buffer.from(bytes)
  return (view.readBigUInt64LE(8) << 64n) | view.readBigUInt64LE(0)
}

function toBytes(bits: bigint): Buffer {
  return Buffer.concat([littleEndian.long(bits), littleEndian.long(bits >> 64n)])
}
