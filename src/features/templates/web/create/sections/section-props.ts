import type { UseFormReturnType } from '@mantine/form'
import type { TemplateFields } from '../template-fields.ts'
import type { Hints } from '../use-hints.ts'

/** Props of every section of the form. */
export interface SectionProps {
	form: UseFormReturnType<TemplateFields>
	hints: Hints
}
