import { setTimeout } from 'node:timers/promises'

/**
 * Polls until `isSo` holds; fails after the timeout. For results that do not come with a response. Polling often is work
 * where `isSo` asks a browser.
 */
export async function until(isSo: () => boolean | Promise<boolean>, timeoutMs = 5000, intervalMs = 10): Promise<void> {
	const end = performance.now() + timeoutMs
	while (!(await isSo())) {
		if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms for: ${String(isSo)}`)
		await setTimeout(intervalMs)
	}
}
