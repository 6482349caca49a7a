/** Returns what two group names have in common when they differ only in case, spaces or forms of letters. */
export function groupNameKey(name: string): string {
	return name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()
}
