const countFormat = new Intl.NumberFormat('en-IN')

/** Formats 1234567 as 12,34,567. */
export function formatCount(count: number): string {
	return countFormat.format(count)
}

/** Returns "1 contact" or "1,234 contacts"; `many` is for irregular plurals. */
export function plural(count: number, one: string, many = `${one}s`): string {
	return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** Formats 0.9397 as 94% and 0.0042 as 0.4%: shares below ten percent have up to one decimal. */
export function percent(share: number): string {
	const value = share * 100
	return `${value > 0 && value < 10 ? Number(value.toFixed(1)) : Math.round(value)}%`
}
