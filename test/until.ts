import { setTimeout } from 'node:timers/promises'

/** Waits for what comes by another way than the answer to a call; fails when it has not come after five seconds. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
	const end = performance.now() + 5000
	while (!(await isSo())) {
		if (performance.now() > end) throw new Error(`waited five seconds for: ${String(isSo)}`)
		await setTimeout(10)
	}
}
