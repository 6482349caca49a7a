import { displayNumber, ERASED_PREFIX } from '#lib/phone/phone.ts'
import { CopyButton } from '../form/copy-button.tsx'
import { PhoneNumber } from './phone-number.tsx'

/** Renders a phone number with a copy button on the same line. */
export function PhoneToCopy({ number }: { number: string }) {
	if (number.startsWith(ERASED_PREFIX)) return <PhoneNumber number={number} />
	return (
		<span className="figures">
			<PhoneNumber number={number} /> <CopyButton text={`+${number}`} what={displayNumber(number)} />
		</span>
	)
}
