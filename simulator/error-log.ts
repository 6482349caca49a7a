/** Logs an error of the simulator itself. */
export function logBug(error: unknown): void {
	console.error('Fault in the simulator:', error)
}
