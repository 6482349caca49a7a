/** Meta grades a template's quality in colours; the product shows three words, and nothing where Meta does not know yet. */
const qualities: Record<string, string> = { GREEN: 'HIGH', YELLOW: 'MEDIUM', RED: 'LOW' }

export function qualityOf(score: string | null): string | null {
	return qualities[score ?? ''] ?? null
}

/** What is left of a status event: the status it leads to, or null when it changes none. */
const statusAfter: Record<string, string | null> = {
	REINSTATED: 'APPROVED',
	UNARCHIVED: 'APPROVED',
	// Warnings and locks on editing, both without effect on sending.
	FLAGGED: null,
	LOCKED: null,
}

export function statusOf(event: string): string | null {
	return event in statusAfter ? (statusAfter[event] ?? null) : event
}
