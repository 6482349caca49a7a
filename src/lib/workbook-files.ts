/** The Excel files that are read, by their MIME types. Of one with macros only the cells are read, as of any other. */
export const WORKBOOK_TYPES = {
	'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
	'application/vnd.ms-excel.sheet.macroenabled.12': ['.xlsm'],
}

/** What their names end in: what browsers say of their type depends on what is installed. */
export const WORKBOOK_ENDINGS = Object.values(WORKBOOK_TYPES).flat()

export function isWorkbookName(name: string): boolean {
	return WORKBOOK_ENDINGS.some((ending) => name.toLowerCase().endsWith(ending))
}
