/** Spreadsheet errors: #N/A, #DIV/0!, #NAME?, and LibreOffice's Err:502. */
const ERRORS =
	/^(?:#(?:n\/a|null!|div\/0!|value!|ref!|name\?|num!|spill!|calc!|field!|blocked!|connect!|busy!|unknown!|python!|external!|error!|getting_data)|err:\d{3})$/i
/** Words that databases and programs write for "no value". */
const NOTHING = /^(?:null|[(<[]null[)>\]]|nan|nat|n\/a|<na>|undefined|\\n)$/i
/** Spellings that are people's names. */
const NAMES = /^(?:Nan|Null|Nat)$/

/**
 * Returns true when a cell contains an error or a word for "no value", such as #N/A or NULL. Names such as Nan are
 * values.
 */
export function isErrorWord(cell: string): boolean {
	const text = cell.trim()
	return text.length <= 20 && (ERRORS.test(text) || (NOTHING.test(text) && !NAMES.test(text)))
}
