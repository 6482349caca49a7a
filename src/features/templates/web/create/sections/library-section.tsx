import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { buttonProblems } from '#features/templates/button-rules.ts'
import type { LibraryAddition } from '#features/templates/contract.ts'
import { variablesIn } from '#features/templates/placeholders.ts'
import { FormSection } from '#lib/web/ui/form-section.tsx'
import { FixedButtons } from '../buttons/fixed-buttons.tsx'
import { typeName } from '../gallery/library-fields.ts'
import type { SectionProps } from './section-props.ts'
import styles from '../buttons/buttons.module.css'

const ADDITIONS: Record<LibraryAddition, string> = {
	add_contact_number: 'How to call you',
	add_learn_more_link: 'Where to read more',
	add_track_package_link: 'Where to track the parcel',
}

/** Renders the text of WhatsApp's library that the template is created from, and the inputs of its buttons. */
export function LibrarySection(props: SectionProps) {
	const { form } = props
	const { library, body_text, body_examples, header_text, language } = form.values
	if (library === null) return null
	const { types, additions } = library
	return (
		<>
			<FormSection number={2} title="Text from WhatsApp’s library" done>
				<div className={`well ${styles.row}`} lang={language.replace('_', '-')}>
					{header_text && <b>{header_text}</b>}
					<p style={{ whiteSpace: 'pre-line' }}>{body_text}</p>
				</div>
				<ul className="bare small" aria-label="Variables">
					{variablesIn(body_text).map((variable, index) => (
						<li key={variable}>
							{`{{${variable}}}`} takes {typeName(types[index])}
							{body_examples[index] && `, such as ${body_examples[index]}`}
						</li>
					))}
				</ul>
				<Checkbox.Group
					label="Sentences that WhatsApp can add"
					description="WhatsApp adds them if this text has a place for them."
					value={additions}
					onChange={(chosen) => form.setFieldValue('library', { ...library, additions: chosen })}
				>
					<Stack gap={8} mt={8}>
						{Object.entries(ADDITIONS).map(([value, label]) => (
							<Checkbox key={value} value={value} label={label} />
						))}
					</Stack>
				</Checkbox.Group>
				<Group gap="8px 16px">
					<Button variant="default" onClick={() => form.setFieldValue('library', null)}>
						Change the words
					</Button>
					<span className="quiet">A changed text is reviewed by WhatsApp.</span>
				</Group>
			</FormSection>
			<LibraryButtons {...props} />
		</>
	)
}

function LibraryButtons({ form, hints }: SectionProps) {
	const { buttons } = form.values
	if (!buttons.some(({ type }) => type === 'URL' || type === 'PHONE_NUMBER')) return null
	return (
		<FormSection number={3} title="Buttons" done={buttonProblems(buttons).length === 0}>
			<FixedButtons form={form} hints={hints} buttons={buttons} isTextFixed />
		</FormSection>
	)
}
