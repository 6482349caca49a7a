/**
 * Returns the processor time that the work takes in this thread, in milliseconds. Other programs on the machine do not count.
 */
export function cpuMs(work: () => unknown): number {
	const before = process.threadCpuUsage()
	work()
	const { user, system } = process.threadCpuUsage(before)
	return (user + system) / 1000
}
