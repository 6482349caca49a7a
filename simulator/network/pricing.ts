const known = new Map<string, string>()

/** The `pricing` object of a status, as JSON. Inside an open window service and utility messages are free. */
export function pricingOf(category: string, windowOpen: boolean): string {
	const free = category === 'service' || (category === 'utility' && windowOpen)
	const key = `${category} ${free}`
	const text = known.get(key)
	if (text) return text
	const type = free ? 'free_customer_service' : 'regular'
	const made = JSON.stringify({ billable: !free, pricing_model: 'PMP', type, category })
	known.set(key, made)
	return made
}
