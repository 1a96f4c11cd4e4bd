/** What a reader has to fill in, as documents write it, and nothing else: a word of the trade behind "your", a name in capitals, x after x. */
const placeholder = new RegExp(
  [
    String.raw`<[^<>]*>`,
    String.raw`\$\{[^{}]*\}`,
    '[xX*.•-]+',
    // `sk-...`
    String.raw`(?:sk|pk|rk|gh[a-z]|xox[a-z]|hf|gsk|npm)?(?:[-_](?:ant|proj|live|test))?[-_]?(?:\.{3}|…)`,
    // `API_KEY`, `CLIENT_SECRET`
    '(?:[A-Z]+_)*(?:KEY|TOKEN|SECRET|PASSWORD)',
    // `your-api-key-here`, `INSERT_TOKEN`, and what vendors' prefixes are followed by
    '(?:[Yy]our|YOUR|[Ii]nsert|INSERT|[Ee]nter|ENTER|[Rr]eplace|REPLACE)(?:[-_][A-Za-z]+)*[-_](?:[Kk]ey|KEY|[Tt]oken|TOKEN|[Ss]ecret|SECRET|[Pp]assword|PASSWORD|[Hh]ere|HERE)(?:[-_]x+)?',
  ]
    .map((form) => `^(?:${form})$`)
    .join('|'),
)

/** Whether a text stands where a secret has to be filled in. */
export function isPlaceholder(text: string): boolean {
  return placeholder.test(text)
}
