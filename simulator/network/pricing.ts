const cache = new Map<string, string>()

/** The `pricing` object of a status, as JSON. Inside an open window service and utility messages are free. */
export function pricingOf(category: string, windowOpen: boolean): string {
	const free = category === 'service' || (category === 'utility' && windowOpen)
	const key = `${category} ${free}`
	const cached = cache.get(key)
	if (cached) return cached
	const type = free ? 'free_customer_service' : 'regular'
	const made = JSON.stringify({ billable: !free, pricing_model: 'PMP', type, category })
	cache.set(key, made)
	return made
}
