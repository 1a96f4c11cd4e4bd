/** The fields of a query or of an urlencoded form, by name; a repeated name has a list. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>

/**
 * Reads a query or an urlencoded form. The order of fields with different names and the escaping of characters do not matter.
 *
 * @returns Undefined if reading would lose information, as with bytes that are not UTF-8.
 */
export function readFormFields(text: string): FormFields | undefined {
  const fields = new Map<string, string | readonly string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (name.includes('\uFFFD') || value.includes('\uFFFD')) return undefined
    const known = fields.get(name)
    fields.set(name, known === undefined ? value : [...(typeof known === 'string' ? [known] : known), value])
  }
  return Object.fromEntries(fields)
}
