/** The fields of a query or of an urlencoded form, by name; a name that stands several times has a list. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>

/**
 * Reads a query or an urlencoded form. In which order fields of different names stand, and how their characters are escaped, says nothing.
 *
 * @returns Undefined where reading would lose something: bytes that are no UTF-8.
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
