import { remember } from '../node/remember.ts'

/** Names of what has a number of its own, or is a time: `order_id`, `trackingNumber`, `ean13`, `expires_at`. */
const numbered =
  /(?:(?:^|[_-])(?:id|ID)|[a-z](?:Id|ID))$|(?:[Oo]rder|[Tt]racking|[Ii]nvoice|[Ss]hipment|[Pp]arcel)[_-]?(?:[Nn]o|[Nn]r|[Nn]um|[Nn]umber)$|^(?:ean|gtin|isbn|upc)[_-]?\d*$|(?:(?:^|[_-])(?:ts|time|timestamp|at)|[a-z](?:At|Time|Timestamp))$/

/** What may have a card's number for its own. */
const ofMoney = /card|pan|pay|acc(?:oun)?t|credit|debit|method|source|instrument|funding|wallet/i

/** A name right before its value, in JSON, in JSON within JSON and in a query: a sentence has neither its quotation marks nor its equals sign. */
const named = /(?:(?<=["'])|\b)(?<name>[A-Za-z_][\w-]{0,60})(?:\\*["']\s*:\s*\\*["']?|=\\*["']?)$/

/** A number of a product right before it. */
const product = /\b(?:EAN|GTIN|ISBN|UPC)(?:-?1[0-4])?[\s:#]{1,3}$/i

/** Whether a field of a name has numbers that look like a card's by chance. */
export const isNumberedField: (name: string) => boolean = remember((name: string): boolean => numbered.test(name) && !ofMoney.test(name))

/** Whether what stands before a number in a text says that it is no card's. */
export function isNumberedBefore(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 80), index)
  const { name } = named.exec(before)?.groups ?? {}
  return name === undefined ? product.test(before) : isNumberedField(name)
}
