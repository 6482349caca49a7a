import { setTimeout } from 'node:timers/promises'

/**
 * Waits for what comes by another way than the answer to a call; fails when it has not come in time. Looking often is work
 * where `isSo` asks a browser.
 */
export async function until(isSo: () => boolean | Promise<boolean>, timeoutMs = 5000, intervalMs = 10): Promise<void> {
	const end = performance.now() + timeoutMs
	while (!(await isSo())) {
		if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms for: ${String(isSo)}`)
		await setTimeout(intervalMs)
	}
}
