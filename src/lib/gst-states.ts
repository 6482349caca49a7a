import { stateOfGstin } from './gstin.ts'

/** States and union territories by their GST code, in the order in which forms show them. */
export const GST_STATES = {
	'35': 'Andaman and Nicobar Islands',
	'37': 'Andhra Pradesh',
	'12': 'Arunachal Pradesh',
	'18': 'Assam',
	'10': 'Bihar',
	'04': 'Chandigarh',
	'22': 'Chhattisgarh',
	'26': 'Dadra and Nagar Haveli and Daman and Diu',
	'07': 'Delhi',
	'30': 'Goa',
	'24': 'Gujarat',
	'06': 'Haryana',
	'02': 'Himachal Pradesh',
	'01': 'Jammu and Kashmir',
	'20': 'Jharkhand',
	'29': 'Karnataka',
	'32': 'Kerala',
	'38': 'Ladakh',
	'31': 'Lakshadweep',
	'23': 'Madhya Pradesh',
	'27': 'Maharashtra',
	'14': 'Manipur',
	'17': 'Meghalaya',
	'15': 'Mizoram',
	'13': 'Nagaland',
	'21': 'Odisha',
	'34': 'Puducherry',
	'03': 'Punjab',
	'08': 'Rajasthan',
	'11': 'Sikkim',
	'33': 'Tamil Nadu',
	'36': 'Telangana',
	'16': 'Tripura',
	'09': 'Uttar Pradesh',
	'05': 'Uttarakhand',
	'19': 'West Bengal',
	'97': 'Other Territory',
} as const

/** Union territories without a legislature, where the territory's half of the tax is UTGST instead of SGST. */
const UTGST_STATES: readonly string[] = ['04', '26', '31', '35', '38', '97']

/** Returns the name of a GST code; undefined for a code that is no state. */
export function stateName(code: string): string | undefined {
	return Object.hasOwn(GST_STATES, code) ? GST_STATES[code as keyof typeof GST_STATES] : undefined
}

/** Returns a state as invoices name it, such as "Karnataka (29)"; the code alone when no state has it. */
export function stateText(code: string): string {
	const name = stateName(code)
	return name ? `${name} (${code})` : code
}

/** Returns the name of the state's half of the tax in the state of supply. */
export function stateTaxName(state: string): 'SGST' | 'UTGST' {
	return UTGST_STATES.includes(state) ? 'UTGST' : 'SGST'
}

/**
 * Returns the GST code of the state of supply: that of the payer's GSTIN, else of the payer's business, else of the
 * issuer's GSTIN; an empty text when none of them is known.
 */
export function placeOfSupply(payer: { gstin: string; businessState: string }, issuerGstin: string): string {
	return stateOfGstin(payer.gstin) || payer.businessState || stateOfGstin(issuerGstin)
}
