import type { UseFormReturnType } from '@mantine/form'
import type { TemplateFields } from './template-fields.ts'
import type { Notes } from './use-notes.ts'

/** What each section of the form gets. */
export interface SectionProps {
	form: UseFormReturnType<TemplateFields>
	notes: Notes
}
