/** Returns a key that is equal for group names differing only in case, spaces or Unicode forms. */
export function groupNameKey(name: string): string {
	return name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()
}
