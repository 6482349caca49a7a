import * as z from 'zod/mini'
import { mayBeNumber } from '#lib/phone/phone-text.ts'
import { ContactBody } from '../contract.ts'
import { NUMBER_INVALID } from '../rules.ts'

/** `ContactBody` for forms, which reject texts that cannot be phone numbers before calling the server. */
export const TypedContact = z.extend(ContactBody, {
	number: ContactBody.shape.number.check(z.refine((typed) => typed === '' || mayBeNumber(typed), NUMBER_INVALID)),
})
