/** A fault of the simulator itself, which must not pass unseen. */
export function logBug(error: unknown): void {
	console.error('Fault in the simulator:', error)
}
