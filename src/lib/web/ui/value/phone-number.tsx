import { displayNumber } from '#lib/phone/phone.ts'

interface PhoneNumberProps {
	/** Number in canonical form. */
	number: string
}

/** Renders a phone number in its country's format, always left to right. */
export function PhoneNumber({ number }: PhoneNumberProps) {
	return (
		<bdi dir="ltr" className="figures">
			{displayNumber(number)}
		</bdi>
	)
}
