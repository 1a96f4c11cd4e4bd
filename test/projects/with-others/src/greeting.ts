/** How a customer is addressed; a shop of its own may say it otherwise. */
export function greeting(item: string): string {
  return `Your ${item.toLowerCase()}`
}
