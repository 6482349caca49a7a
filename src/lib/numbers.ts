const countFormat = new Intl.NumberFormat('en-IN')

/** 1234567 is 12,34,567. */
export function formatCount(count: number): string {
	return countFormat.format(count)
}

/** "1 contact", "1,234 contacts"; `many` where an s does not do. */
export function plural(count: number, one: string, many = `${one}s`): string {
	return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** 0.9397 is 94%, and 0.0042 is 0.4%: small parts keep a digit. */
export function percent(share: number): string {
	const value = share * 100
	return `${value > 0 && value < 10 ? Number(value.toFixed(1)) : Math.round(value)}%`
}
