/** `await using` for what runs on Node 22 as it stands, which has no word for it. */
export async function disposeAfter<Resource extends AsyncDisposable, Result>(
  resource: Resource,
  body: (resource: Resource) => Promise<Result>,
): Promise<Result> {
  try {
    return await body(resource)
  } finally {
    await resource[Symbol.asyncDispose]()
  }
}
