/** A placeholder as documentation writes it, and nothing else: a term after "your", a name in capitals, a run of x. */
const placeholder = new RegExp(
  [
    String.raw`<[^<>]*>`,
    // The mark of a credential in a recorded request.
    String.raw`\[credential\]`,
    String.raw`\$\{[^{}]*\}`,
    '[xX*.•-]+',
    // `sk-...`
    String.raw`(?:sk|pk|rk|gh[a-z]|xox[a-z]|hf|gsk|npm)?(?:[-_](?:ant|proj|live|test))?[-_]?(?:\.{3}|\u2026)`,
    // `API_KEY`, `CLIENT_SECRET`
    '(?:[A-Z]+_)*(?:KEY|TOKEN|SECRET|PASSWORD)',
    // `your-api-key-here`, `INSERT_TOKEN`, and the texts that follow vendors' prefixes
    '(?:[Yy]our|YOUR|[Ii]nsert|INSERT|[Ee]nter|ENTER|[Rr]eplace|REPLACE)(?:[-_][A-Za-z]+)*[-_](?:[Kk]ey|KEY|[Tt]oken|TOKEN|[Ss]ecret|SECRET|[Pp]assword|PASSWORD|[Hh]ere|HERE)(?:[-_]x+)?',
  ]
    .map((form) => `^(?:${form})$`)
    .join('|'),
)

/** Returns whether a text is a placeholder for a secret. */
export function isPlaceholder(text: string): boolean {
  return placeholder.test(text)
}
