import { isWordStart } from './word-start.ts'

/** Prefixes with which no word ends: at least a vendor's name, followed by a sign. */
const distinctive = /^(?:gh[pousr]_|npm_|gsk_|xai-|sk-(?:ant|proj|or|svcacct|admin)-|[\w.-]{4,}[_-]$)/

/** Prefixes that also follow a sign in other names: `data-access-production-`, `acct_live_`. */
const common = /^(?:access-|pubkey-|key-|live_|api_org_)/

/** Prefixes with which words end: `task_live_`, `network_test_`. */
const endsWords = /^[srp]k_/

/**
 * Returns whether a key may begin at a place: at the start of a word, and within a word (`a_ghp_…`) if the rest looks random.
 *
 * @param prefix The start of the vendor's keys.
 * @param rest The text that follows. Only its beginning is checked: a run of data may be long.
 */
export function mayStartKey(text: string, index: number, prefix: string, rest: string): boolean {
  if (isWordStart(text, index)) return true
  const before = text[index - 1] ?? ''
  if (common.test(prefix) || !/[\w-]/.test(before)) return false
  // An AWS key id that stands alone in its word, in capitals, needs no further check.
  if (/^A[KS]IA$/.test(prefix)) return /[_-]/.test(before)
  const beginning = rest.slice(0, 64)
  if (!isDrawn(beginning)) return false
  if (/[_-]/.test(before)) return prefix.length >= 6 || distinctive.test(prefix) || /^(?:sk-|hf_|r8_|AIza)/.test(prefix)
  if (endsWords.test(prefix)) return isMixed(beginning) && rest.length >= 24
  return distinctive.test(prefix)
}

function isDrawn(rest: string): boolean {
  return isMixed(rest) || /(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{16}/.test(rest)
}

function isMixed(rest: string): boolean {
  return /\d/.test(rest) && /[a-z]/.test(rest) && /[A-Z]/.test(rest)
}
