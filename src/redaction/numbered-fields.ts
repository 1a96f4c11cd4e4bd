import { remember } from '../trace/remember.ts'

/** Names of fields that contain a number of their own or a time: `order_id`, `trackingNumber`, `ean13`, `expires_at`. */
const numbered =
  /(?:(?:^|[_-])(?:id|ID)|[a-z](?:Id|ID))$|(?:[Oo]rder|[Tt]racking|[Ii]nvoice|[Ss]hipment|[Pp]arcel)[_-]?(?:[Nn]o|[Nn]r|[Nn]um|[Nn]umber)$|^(?:ean|gtin|isbn|upc)[_-]?\d*$|(?:(?:^|[_-])(?:ts|time|timestamp|at)|[a-z](?:At|Time|Timestamp))$/

/** Names of fields that may contain a card number. */
const ofMoney = /card|pan|pay|acc(?:oun)?t|credit|debit|method|source|instrument|funding|wallet/i

/** A name directly before its value, in JSON, in nested JSON and in a query: a sentence has neither the quotation marks nor the equals sign. */
const named = /(?:(?<=["'])|\b)(?<name>[A-Za-z_][\w-]{0,60})(?:\\*["']\s*:\s*\\*["']?|=\\*["']?)$/

/** The name of a product number, directly before the number. */
const product = /\b(?:EAN|GTIN|ISBN|UPC)(?:-?1[0-4])?[\s:#]{1,3}$/i

/** Returns whether the numbers in a field of this name only look like card numbers. */
export const isNumberedField: (name: string) => boolean = remember((name: string): boolean => numbered.test(name) && !ofMoney.test(name))

/** Returns whether the text before a number says that it is not a card number. */
export function isNumberedBefore(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 80), index)
  const { name } = named.exec(before)?.groups ?? {}
  return name === undefined ? product.test(before) : isNumberedField(name)
}
