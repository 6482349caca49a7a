import { displayNumber, ERASED_PREFIX } from '#lib/phone.ts'
import { CopyButton } from '../form/copy-button.tsx'
import { PhoneNumber } from './phone-number.tsx'

/** A phone number with its copy button beside it, never on a line of its own. */
export function PhoneToCopy({ number }: { number: string }) {
	if (number.startsWith(ERASED_PREFIX)) return <PhoneNumber number={number} />
	return (
		<span className="figures">
			<PhoneNumber number={number} /> <CopyButton text={`+${number}`} what={displayNumber(number)} />
		</span>
	)
}
