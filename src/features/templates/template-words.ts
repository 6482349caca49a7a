const LONGEST = 200

/** Returns a template's name as a title: "Diwali offer 2026" for `diwali_offer_2026`. */
export function templateTitle(name: string): string {
	const words = name.slice(0, LONGEST).split('_').filter(Boolean).join(' ')
	return words ? words.charAt(0).toUpperCase() + words.slice(1) : name
}

/** Returns a category in a sentence, as Marketing for MARKETING; also one that WhatsApp has added. */
export function categoryName(category: string): string {
	return category.charAt(0).toUpperCase() + category.slice(1).toLowerCase().replaceAll('_', ' ')
}

/** Texts that say what to change, by Meta's rejection code. */
const REJECTIONS: Record<string, string> = {
	ABUSIVE_CONTENT: 'WhatsApp finds the content abusive. Change the wording.',
	CATEGORY_NOT_AVAILABLE: 'This category is not available to your account. Choose another one.',
	INCORRECT_CATEGORY: 'The content does not fit its category. Choose another category or change the wording.',
	INVALID_FORMAT: 'The format is not valid. Check the variables, the punctuation and the spelling.',
	PROMOTIONAL: 'The content is promotional. Choose MARKETING or leave the promotion out.',
	SCAM: 'WhatsApp considers the content a scam. Say who you are, and do not ask for private data.',
	TAG_CONTENT_MISMATCH: 'The content does not fit the language or the category that was chosen.',
}

/** Returns the text for a rejection. Meta's own advice is returned unchanged. */
export function rejectionText(reason: string): string {
	return REJECTIONS[reason] ?? reason
}
