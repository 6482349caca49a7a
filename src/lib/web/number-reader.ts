/** Loads the reader of phone numbers with the numbering plans: 50 kB that most screens do without. */
export async function loadNumberReader() {
	const [reader, plan] = await Promise.all([import('#lib/phone-reader.ts'), import('#lib/phone-plan.ts')])
	return { ...reader, lookUpNumber: plan.lookUpNumber }
}
