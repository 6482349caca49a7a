import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { indianDay } from '#lib/dates.ts'
import { useNow } from '#lib/web/ui/value/use-now.ts'
import type { Consent } from '../contract.ts'

interface ConsentFieldsProps {
	question: string
	/** Null when no consent is recorded. */
	consent: Consent | null
	onChange: (consent: Consent | null) => void
	/** `form.getInputProps` of the form that contains these fields. */
	inputProps: (path: `consent.${keyof Consent}`) => object
}

/** Renders a checkbox for consent and, once ticked, the fields of its proof. */
export function ConsentFields({ question, consent, onChange, inputProps }: ConsentFieldsProps) {
	const today = indianDay(useNow())
	return (
		<>
			<Checkbox
				label={question}
				description="Optional. Record where and how they agreed. You may have to prove it."
				checked={consent !== null}
				onChange={({ currentTarget }) =>
					onChange(currentTarget.checked ? { source: '', words: '', agreedOn: today } : null)
				}
			/>
			{consent && (
				<>
					<div className="abreast">
						<TextInput
							label="Where they agreed"
							placeholder="Order form on our website"
							required
							autoComplete="off"
							{...inputProps('consent.source')}
						/>
						<TextInput type="date" label="On" required max={today} {...inputProps('consent.agreedOn')} />
					</div>
					<Textarea
						label="Consent text"
						placeholder="Yes, send me offers on WhatsApp. I can stop them at any time."
						required
						rows={2}
						{...inputProps('consent.words')}
					/>
				</>
			)}
		</>
	)
}
