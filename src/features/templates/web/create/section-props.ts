import type { UseFormReturnType } from '@mantine/form'
import type { TemplateFields } from './template-fields.ts'
import type { Notes } from './use-notes.ts'

/** The props of every section of the form. */
export interface SectionProps {
	form: UseFormReturnType<TemplateFields>
	notes: Notes
}
