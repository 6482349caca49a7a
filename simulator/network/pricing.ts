const cache = new Map<string, string>()

/** Returns the `pricing` object of a status as JSON. Service and utility messages are free within an open window. */
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
