/** Excel files that can be read, by MIME type. Macros are ignored: only cells are read. */
export const WORKBOOK_TYPES = {
	'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
	'application/vnd.ms-excel.sheet.macroenabled.12': ['.xlsm'],
}

/** Extensions of workbooks. Checked by name, since the type that a browser reports depends on installed programs. */
export const WORKBOOK_ENDINGS = Object.values(WORKBOOK_TYPES).flat()

export function isWorkbookName(name: string): boolean {
	return WORKBOOK_ENDINGS.some((ending) => name.toLowerCase().endsWith(ending))
}
