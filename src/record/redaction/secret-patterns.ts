/** A shape by which a secret is known. */
export interface SecretPattern {
  /** Named in the trace's header. */
  readonly rule: string
  /** Matches the whole secret; group 1, where there is one, is the part that stays (a vendor's prefix). */
  readonly pattern: RegExp
}

/**
 * Keys by the shapes that their vendors document: a fixed prefix and enough characters behind it that no word of a language is taken for one.
 */
export const secretPatterns: readonly SecretPattern[] = [
  { rule: 'private-key', pattern: /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[A-Za-z0-9+/=\s\\]+?-----END [A-Z ]*PRIVATE KEY-----/g },
  { rule: 'provider-key', pattern: /\b(sk-(?:ant-(?:api\d\d-)?|proj-|or-v1-|svcacct-)?)[A-Za-z0-9_-]{20,}/g },
  { rule: 'provider-key', pattern: /\b(AIza)[A-Za-z0-9_-]{35}/g },
  { rule: 'provider-key', pattern: /\b(gsk_|hf_|r8_|xai-|pplx-|nvapi-)[A-Za-z0-9]{20,}/g },
  { rule: 'payment-key', pattern: /\b((?:sk|rk|pk)_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}/g },
  { rule: 'cloud-key', pattern: /\b((?:AKIA|ASIA)(?=[A-Z0-9]{16}\b))[A-Z0-9]{16}/g },
  { rule: 'code-host-token', pattern: /\b(gh[pousr]_|github_pat_|glpat-|npm_)[A-Za-z0-9_]{20,}/g },
  { rule: 'chat-token', pattern: /\b(xox[abeprs]-|xapp-)[A-Za-z0-9-]{10,}/g },
  { rule: 'jwt', pattern: /\b(eyJ)[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{10,}/g },
  { rule: 'bearer-token', pattern: /\b([Bb]earer )(?!REDACTED)[A-Za-z0-9._~+/-]{16,}=*/g },
]
