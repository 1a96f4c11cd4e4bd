/** An edit of one of an agent's files: the one place where `from` stands becomes `to`. */
export interface SourceEdit {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** A change of an agent, as somebody makes it in a pull request. Whether it does harm is for the world to say. */
export interface Mutation {
  /** What sort of change it is, in the words of the table. */
  readonly kind: string
  readonly name: string
  readonly edits: readonly SourceEdit[]
  /** Files that come along, by name. Default: none. */
  readonly files?: Readonly<Record<string, string>>
}

/** Shortens the lists of mutations. */
export function mutate(kind: string, name: string, ...edits: readonly (readonly [file: string, from: string, to: string])[]): Mutation {
  return { kind, name, edits: edits.map(([file, from, to]) => ({ file, from, to })) }
}
