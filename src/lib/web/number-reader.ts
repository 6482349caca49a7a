/** Loads the phone number reader with its numbering plans, 50 kB that most screens do not need. */
export async function loadNumberReader() {
	const [reader, plan] = await Promise.all([import('#lib/phone/phone-reader.ts'), import('#lib/phone/phone-plan.ts')])
	return { ...reader, lookUpNumber: plan.lookUpNumber }
}
