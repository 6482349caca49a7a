const LONGEST = 200

/** Returns a template's name as a title: "Diwali offer 2026" for `diwali_offer_2026`. */
export function templateTitle(name: string): string {
	const words = name.slice(0, LONGEST).split('_').filter(Boolean).join(' ')
	return words ? words.charAt(0).toUpperCase() + words.slice(1) : name
}
