/** The bytes of something as an address. */
export function addressOf({ mime, data }: { readonly mime: string; readonly data: string }): string {
  return `data:${mime};base64,${data}`;
}
