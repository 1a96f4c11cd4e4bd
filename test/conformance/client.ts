/** What a client is asked to send. */
export interface Sent {
  readonly url: string
  /** Default: GET. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | Form
  /** Default: `manual`. */
  readonly redirect?: 'follow' | 'manual'
  readonly signal?: AbortSignal
}

/** A multipart form: a field and a file. Each client makes one in its own way. */
export interface Form {
  readonly field: string
  readonly file: Uint8Array
}

/** What a client received: its head, and a body that has not been read. */
export interface Received {
  readonly status: number
  /** The values of a header, joined. */
  header(name: string): string | undefined
  /** Where the answer came from, of clients that say so. */
  readonly url?: string
  readonly redirected?: boolean
  /** The body piece by piece. Leaving the loop leaves the answer. */
  readonly body: AsyncIterable<Uint8Array>
  /** The whole body, in the way that the client's users read it. */
  text(): Promise<string>
  /** Known once the body has been read, of clients that tell them. */
  readonly trailers?: () => Readonly<Record<string, string | undefined>>
  /** The answer itself, of clients that speak Fetch. */
  readonly response?: Response
}

/** What not every client can do. */
export type Ability =
  /** Follows redirects by itself when told so. */
  | 'follow'
  /** Leaves redirects alone when told so. */
  | 'manual'
  /** Decodes answers: its user gets what was meant. */
  | 'decode'
  /** Leaves decoding to what lies below the boundary. */
  | 'below'
  /** Sends a HEAD. */
  | 'head'
  /** Sends a `FormData`. */
  | 'form'
  /** Tells trailers. */
  | 'trailers'
  /** Gives a Fetch `Response`, with `clone()`. */
  | 'clone'
  /** Gives a `ReadableStream`, with `tee()`. */
  | 'tee'
  /** Streams an upload. */
  | 'upload'

/** An HTTP client as a program holds it. */
export interface Client {
  /** What it lacks. */
  readonly lacks: readonly Ability[]
  send(sent: Sent): Promise<Received>
  /** Lets go of its connections. */
  close?(): Promise<void> | void
}

/** Loads a client's module, if it has one, and builds it. `origin` is for clients that are bound to one. */
export type ClientSource = (origin: string) => Promise<Client>

/** Whether a body is a form. */
export function isForm(body: Sent['body']): body is Form {
  return typeof body === 'object' && 'field' in body
}

/** A form as Fetch knows it. */
export function toFormData(form: Form, Data: typeof FormData = FormData): FormData {
  const data = new Data()
  data.set('field', form.field)
  data.set('file', new File([form.file.slice()], 'file.bin', { type: 'application/octet-stream' }))
  return data
}
