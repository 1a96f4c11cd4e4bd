/** How an agent differs from what its accepted runs were made of. */
export interface SinceAccepted {
  /** Modules, configs, texts and patches that have changed, from the folder that contains `golden-traces`. */
  readonly files: readonly string[]
  /** Packages, and Node. */
  readonly versions: readonly VersionChange[]
  /** Files that the agent read and that were not compared, because they may hold secrets, are large or are not text. */
  readonly notCompared: readonly string[]
}

/** Another version of something. */
export interface VersionChange {
  readonly name: string
  readonly from: string
  /** Empty if it is no longer installed. */
  readonly to: string
}

/** How many changes a headline names. */
const named = 3

/** Whether nothing that is known of the agent has changed. */
export function isUnchanged(since: SinceAccepted | undefined): boolean {
  return since !== undefined && since.files.length === 0 && since.versions.length === 0
}

/**
 * Says what has changed of the agent, in a sentence.
 *
 * @param isOfConfig Whether the agent that ran is the config's. A test may pass another.
 */
export function tellSinceAccepted(since: SinceAccepted, isOfConfig: boolean): string {
  const { files, versions, notCompared } = since
  const apart =
    notCompared.length === 0 ? '' : `, apart from ${listed(notCompared)}, which ${notCompared.length === 1 ? 'is' : 'are'} not compared`
  const agent = isOfConfig ? 'the agent' : "goldenrun.config.ts's agent"
  const test = isOfConfig ? '' : " The test's own code is not compared."
  if (isUnchanged(since)) return `The code, files and packages of ${agent} have not changed since this golden was accepted${apart}.${test}`
  const others = versions.map(tellVersion)
  if (files.length === 0) return `${listed(others)}; the agent's code did not change${apart}.`
  return `Changed since this golden was accepted: ${listed([...files, ...others])}.`
}

function tellVersion({ name, from, to }: VersionChange): string {
  return to === '' ? `${name} ${from} is no longer installed` : `${name} ${from} → ${to}`
}

/** Lists names, as far as there is room. */
export function listed(names: readonly string[]): string {
  const more = names.length - named
  return more <= 0 ? names.join(', ') : `${names.slice(0, named).join(', ')} and ${more} more`
}
