/** Returns a category in a sentence, as Marketing for MARKETING; also one that WhatsApp has added. */
export function categoryName(category: string): string {
	return category.charAt(0).toUpperCase() + category.slice(1).toLowerCase().replaceAll('_', ' ')
}
