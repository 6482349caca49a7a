import { Button } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import type { SectionProps } from './section-props.ts'
import { isSame, type TemplateFields } from './template-fields.ts'
import styles from './create-template.module.css'

interface RestoredNoticeProps {
	form: SectionProps['form']
	restored: TemplateFields
	initial: TemplateFields
}

/** Says that the form opened with a draft, and lets it be discarded, which can be undone until something is typed. */
export function RestoredNotice({ form, restored, initial }: RestoredNoticeProps) {
	const [discarded, setDiscarded] = useState<TemplateFields | null>(null)
	const isUntouched = isSame(form.values, initial)
	const replace = (fields: TemplateFields) => {
		form.setValues(fields)
		form.clearErrors()
	}
	if (discarded && !isUntouched) return null
	return (
		<Notice tone="info">
			<div className={styles.restored}>
				{discarded ? 'Draft discarded.' : 'Your draft has been restored. A header file has to be chosen again.'}
				<Button
					variant="default"
					size="compact-sm"
					onClick={() => {
						replace(discarded ?? initial)
						setDiscarded(discarded ? null : isUntouched ? restored : form.values)
					}}
				>
					{discarded ? 'Undo' : 'Start over'}
				</Button>
			</div>
		</Notice>
	)
}
