import { isWordStart } from './word-start.ts'

/** Prefixes that no word ends in: a vendor's name or more, and a sign behind it. */
const distinctive = /^(?:gh[pousr]_|npm_|gsk_|xai-|sk-(?:ant|proj|or|svcacct|admin)-|[\w.-]{4,}[_-]$)/

/** Prefixes that stand behind a sign in names of other things as well: `data-access-production-`, `acct_live_`. */
const common = /^(?:access-|pubkey-|key-|live_|api_org_)/

/** What words end in: `task_live_`, `network_test_`. */
const endsWords = /^[srp]k_/

/**
 * Whether a key may begin at a place: where a word does, and within a word (`a_ghp_…`) if the rest looks drawn by chance.
 *
 * @param prefix How the vendor's keys begin.
 * @param rest What follows, of which the beginning is looked at: a run of data may be long.
 */
export function mayStartKey(text: string, index: number, prefix: string, rest: string): boolean {
  if (isWordStart(text, index)) return true
  const before = text[index - 1] ?? ''
  if (common.test(prefix) || !/[\w-]/.test(before)) return false
  // Alone in its word and in capitals, an AWS key id needs no more.
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
